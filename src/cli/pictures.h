#pragma once
/// Results as pictures: --report and --perfetto of simulate and run, and reports of what lies in directories.

#include <optional>
#include <string>
#include <vector>

#include "io/report/job_spans.h"
#include "io/report/report_page.h"
#include "io/results/results_directory.h"
#include "sched/metrics.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace medley::cli {

struct PictureOptions {
    bool report = false;
    bool perfetto = false;

    bool any() const { return report || perfetto; }
};

/// --report and --perfetto; both need `directory`, the option that names where results go, where one is given.
void add_picture_options(CLI::App& app, PictureOptions& options, CLI::Option* directory = nullptr);

/// Throws medley::Error if this build cannot draw what is asked for; to be called before the work.
void require_pictures(const PictureOptions& options);

/// Follows one run and adds its pictures to its results.
class Pictures {
 public:
    explicit Pictures(PictureOptions options) : options_(options) {}

    LedgerDetail ledger_detail() const { return options_.any() ? LedgerDetail::kOverTime : LedgerDetail::kTotals; }
    EventSink& events() { return spans_; }
    /// report.html and trace.perfetto.json, as asked for, beside the other files; they appear with them. `summary` is the text of
    /// summary.json. Requires metrics of `ledger_detail` and that both saw the whole log.
    void write(io::ResultsDirectory& results, const Metrics& metrics, const std::string& summary) const;

 private:
    PictureOptions options_;
    io::JobSpans spans_;
};

/// Jobs of all runs together up to which a report of several runs holds their timelines.
inline constexpr std::size_t kMostReportedJobs = 250'000;

/// The report of results directories, a comparison standing for all its runs. Throws medley::Error as io::read_run does.
io::ReportDocument document_of(const std::vector<std::string>& directories);
/// Writes it to `file`.
void write_report_of(const std::vector<std::string>& directories, const std::string& file);

}  // namespace medley::cli
