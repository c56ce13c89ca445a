#pragma once
/// Does a simulated scheduler start jobs when the real one did? A simulated log against the starts that a trace recorded.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/job.h"
#include "core/units.h"

namespace medley::cli {

/// One job that started in both worlds.
struct StartPair {
    std::string job_id;
    SimTime recorded, simulated;
};

struct StartComparison {
    std::size_t jobs = 0;                                            ///< that have a recorded start and started in the simulation
    std::size_t only_recorded = 0;                                   ///< started on record, not in the simulation
    std::size_t not_recorded = 0;                                    ///< the trace tells no start
    std::optional<double> median_error_s, p95_error_s, max_error_s;  ///< |simulated - recorded|; empty without jobs
    std::optional<double> mean_signed_error_s;                       ///< above 0: later than recorded
    std::optional<double> within_fraction;                           ///< of the jobs, not further off than `within`
    std::optional<double> same_order_fraction;                       ///< of the jobs, in the largest set that both start in one order
    std::optional<double> pairs_in_order_fraction;                   ///< of the pairs of jobs with different recorded starts
    std::string worst_job;
    Seconds within;
};

/// Errors, and two measures of order. Jobs that start at one recorded moment have no order among themselves. Cost: O(n log n).
StartComparison compare_starts(std::vector<StartPair> pairs, Seconds within);

/// The same for the log of a results directory and a trace with `recorded_start_s`. Throws medley::Error where either cannot be read, or
/// the trace has no recorded start at all.
StartComparison compare_starts(const std::string& simulated, const std::string& trace, Seconds within);

std::string start_comparison_table(const StartComparison& comparison);
std::string start_comparison_json(const StartComparison& comparison);

}  // namespace medley::cli
