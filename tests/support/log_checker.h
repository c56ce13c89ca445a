#pragma once
/// An independent reader of events.jsonl: verifies what a log promises and recomputes the ledger, without any code of the scheduler,
/// the simulator or the metrics.
///
/// Verified: header first and end last; time never runs backwards; each job's life (submitted once, launched only while waiting, ...);
/// at the end of every moment no type is held beyond its present capacity; GPUs only of allowed types; no progress without GPUs;
/// conservation: the work that every record states is speed x time since the one before, and a finished job did all its work.
/// With `compat` in the header, conservation is not expected and not verified. Cost: O(records x distinct waiting gangs).

#include <istream>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace medley::test {

struct LogReport {
    std::vector<std::string> violations;  ///< the first few, each with its line
    std::size_t records = 0;
    std::size_t jobs_completed = 0;
    std::size_t jobs_unfinished = 0;
    std::optional<double> mean_jct_s;    ///< of completed jobs
    std::optional<double> median_jct_s;  ///< mean of the two middle values
    std::map<std::string, double> ledger_gpu_seconds;
    double capacity_gpu_seconds = 0;  ///< what the ledger must add up to

    bool clean() const { return violations.empty(); }
};

LogReport check_log(std::istream& events);
LogReport check_log_text(const std::string& events);

/// Differences between a report and a summary.json over the whole log (no window); empty if they agree within 1e-9 relative.
std::vector<std::string> compare_with_summary(const LogReport& report, const std::string& summary_json);

}  // namespace medley::test
