#pragma once
/// What a trace asks for, in figures: `medley trace summarize`.

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "core/job.h"
#include "core/name.h"
#include "core/units.h"

namespace medley::io {

/// Percentiles interpolate linearly between the two nearest values (numpy's default).
struct Distribution {
    double mean = 0, least = 0, p10 = 0, median = 0, p90 = 0, p99 = 0, most = 0;
};

struct TraceSummary {
    std::size_t jobs = 0;
    std::size_t jobs_in_steps = 0;  ///< their run time depends on the GPUs, so they count in no duration and no GPU-hours
    std::size_t jobs_on_pools = 0;  ///< `gpus` = pool: no count, so they stand in no figure of GPUs
    Seconds first_submit, last_submit;
    double gpu_hours = 0;  ///< of jobs with a duration and a count
    std::optional<double>
        offered_gpus;  ///< GPU-seconds per second of submission: the mean number of GPUs kept busy; empty if all come at once
    std::optional<Distribution> duration_s;
    std::optional<Distribution> gpus;
    std::optional<Distribution> interarrival_s;               ///< empty with fewer than two jobs
    std::vector<std::pair<int, std::size_t>> jobs_by_gpus;    ///< ascending; pool jobs left out
    std::vector<std::pair<Name, std::size_t>> jobs_by_model;  ///< by name; the empty name stands for unknown models
};

/// Requires an ordered trace. Cost: O(n log n).
TraceSummary summarize(const Trace& trace);

}  // namespace medley::io
