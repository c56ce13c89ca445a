#pragma once
/// Is the simulator right? Two event logs of the same jobs, one simulated and one executed, figure by figure and job by job.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sched/metrics.h"

namespace medley::cli {

struct LogComparison {
    Summary simulated, executed;
    std::size_t jobs_matched = 0;          ///< completed in both logs, by id
    std::optional<double> mean_jct_error;  ///< |simulated / executed - 1| over the matched jobs; empty without any
    std::optional<double> max_jct_error;
    std::string max_error_job;
};

/// Reads `events.jsonl` of both directories. Throws medley::Error if one cannot be read or is malformed.
LogComparison compare_logs(const std::string& simulated, const std::string& executed);

std::string log_comparison_table(const LogComparison& comparison);
std::string log_comparison_json(const LogComparison& comparison);

}  // namespace medley::cli
