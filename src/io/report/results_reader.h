#pragma once
/// Reads back what a simulation, a run or a comparison has written, for a report.

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/report/report_run.h"

namespace medley::io {

/// One run of a comparison: what it is called, and its folder inside the comparison's.
struct ComparedFolder {
    std::vector<RunLabel> labels;
    std::string folder;
};

struct ComparisonContents {
    std::string ranked_by;
    std::vector<ComparedFolder> runs;
};

/// comparison.json from its text; `file` is named in errors. Every plain field of a run but its directory is a label. Throws
/// medley::Error naming the place for what is not a comparison of format 1, or one without results of its runs.
ComparisonContents parse_comparison(const std::string& text, const std::string& file);

/// The summary as far as a report must understand it; a summary of a real run has no policy.
struct SummaryContents {
    Window window;
    bool executed = false;
    std::vector<RunLabel> labels;  ///< policy and seed; the job of a real run
};
/// Throws medley::Error for what is not a summary of format 1.
SummaryContents parse_summary(const std::string& text, const std::string& file);

bool is_comparison(const std::filesystem::path& directory);

/// A results directory in memory.
struct RunRecord {
    explicit RunRecord(SummaryContents known) : contents(std::move(known)), metrics(contents.window, LedgerDetail::kOverTime) {}

    SummaryContents contents;
    std::string summary;  ///< the text of summary.json
    Metrics metrics;
    JobSpans spans;
};

/// Throws medley::Error naming the file if one is missing or malformed. Cost: about 2 us an event.
std::unique_ptr<RunRecord> read_run(const std::filesystem::path& directory);

/// No labels: the summary's own.
EncodedRun encode_run(const RunRecord& run, std::vector<RunLabel> labels = {}, bool with_jobs = true);

}  // namespace medley::io
