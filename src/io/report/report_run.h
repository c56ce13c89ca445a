#pragma once
/// One run as the report's page wants it: its summary, its figures over time, its distributions, its jobs and their timeline.

#include <string>
#include <vector>

#include "io/report/job_spans.h"
#include "sched/metrics.h"

namespace medley::io {

/// What tells a run from the others of a comparison: ("policy", "wfs"), ("seed", "3"), ("what_if", "+8 H100").
struct RunLabel {
    std::string name;
    std::string value;
};

struct ReportedRun {
    std::vector<RunLabel> labels;
    std::string summary;               ///< the text of its summary.json
    bool executed = false;             ///< by real workers: the summary is `medley run`'s
    bool with_jobs = true;             ///< else neither jobs nor timeline, for comparisons of very many
    const Metrics* metrics = nullptr;  ///< with LedgerDetail::kOverTime, over the summary's window
    const JobSpans* spans = nullptr;   ///< of the same log
};

/// A run as text: what the page reads as JSON, and its columns of numbers.
struct EncodedRun {
    std::string json;
    std::string columns;
};

/// Beyond this many, the shortest spans of the timeline are left out (and counted), so that the file stays below about 20 MB.
inline constexpr std::size_t kMostSpans = 1'000'000;

/// Cost: about 2 us a job and 0.3 us a span. Requires a summary that is valid JSON.
EncodedRun encode_run(const ReportedRun& run, std::size_t most_spans = kMostSpans);

}  // namespace medley::io
