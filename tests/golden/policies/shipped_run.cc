#include "shipped_run.h"

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "cost/profile_cost_model.h"
#include "io/cluster_file.h"
#include "io/profile_file.h"
#include "io/trace_file.h"
#include "planner/policies/policy_table.h"
#include "tests/support/source_folder.h"

namespace medley::test {
namespace {

const std::filesystem::path kSource = test::source_folder();

double upper_median(std::vector<double> values) {
    MEDLEY_ASSERT(!values.empty());
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

}  // namespace

std::vector<Profile> shipped_profiles(const std::string& folder) { return io::load_profiles(kSource / "profiles" / folder); }

SimulatedRun run_shipped(const ShippedInput& input, const std::string& policy, simulator::SimulationOptions options) {
    return run_shipped(input, shipped_profiles(input.profiles), policy, std::move(options));
}

SimulatedRun run_shipped(const ShippedInput& input, std::vector<Profile> profiles, const std::string& policy,
                         simulator::SimulationOptions options) {
    const Cluster cluster = io::load_cluster(kSource / "profiles/clusters" / input.cluster);
    const Trace trace = io::load_trace(kSource / "traces" / input.trace);
    const ProfileCostModel speeds(cluster, std::move(profiles));
    const std::unique_ptr<Policy> scheduler = planner::make_policy(policy);
    options.scheduler.round = scheduler->traits().default_round;
    return run_simulation(cluster, trace, speeds, *scheduler, options);
}

double mean_jct_s(const SimulatedRun& run) { return run.summary.avg_jct_s.value(); }

double upper_median_jct_s(const SimulatedRun& run) {
    std::vector<double> values;
    for (const JobRow& row : run.rows) { values.push_back(row.jct_s.value()); }
    return upper_median(values);
}

double upper_median_queueing_s(const SimulatedRun& run) {
    std::vector<double> values;
    for (const JobRow& row : run.rows) { values.push_back(row.queueing_s.value()); }
    return upper_median(values);
}

double last_finish_s(const SimulatedRun& run) {
    SimTime last{0};
    for (const JobRow& row : run.rows) { last = std::max(last, row.finish.value()); }
    return to_seconds(last).value;
}

}  // namespace medley::test
