#pragma once
/// Runs of this repository's own traces, clusters and profiles, and the statistics in which the reference states them.

#include <string>

#include "tests/support/simulated_run.h"

namespace medley::test {

struct ShippedInput {
    std::string trace;     ///< file in traces/
    std::string cluster;   ///< file in profiles/clusters/
    std::string profiles;  ///< folder in profiles/
};

/// The round is the policy's default.
SimulatedRun run_shipped(const ShippedInput& input, const std::string& policy, simulator::SimulationOptions options = {});
/// The same with profiles changed by the caller.
SimulatedRun run_shipped(const ShippedInput& input, std::vector<Profile> profiles, const std::string& policy,
                         simulator::SimulationOptions options = {});
std::vector<Profile> shipped_profiles(const std::string& folder);

double mean_jct_s(const SimulatedRun& run);
/// The element at n/2 of the sorted values, as in the authors' plots (the upper of the two middle ones).
double upper_median_jct_s(const SimulatedRun& run);
double upper_median_queueing_s(const SimulatedRun& run);
/// Finish of the last job, counted from time 0 as in the reference.
double last_finish_s(const SimulatedRun& run);

/// 1 - after/before.
inline double reduction(double before, double after) { return 1 - after / before; }

}  // namespace medley::test
