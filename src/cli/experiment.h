#pragma once
/// One simulation as the command line states it: a workload, a policy, and how transitions are charged. Shared by simulate and compare.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cli/workload.h"
#include "core/units.h"
#include "io/results/summary_json.h"
#include "sched/metrics.h"
#include "sched/policy.h"
#include "sched/scheduler.h"
#include "simulator/cluster/simulation.h"

namespace medley::cli {

struct ExperimentOptions {
    std::optional<Seconds> round;  ///< empty = the policy's own
    TransitionCosts costs;
    Seconds checkpoint_interval;
    Seconds policy_latency;
    double speed_noise = 0;
    std::string compat;
    Window window;
};

/// --round, the overheads, --policy-latency, --compat, --window and the like.
void add_experiment_options(CLI::App& app, ExperimentOptions& options);

/// planner::make_policy; what it refuses is said to be wrong with `option`, such as "--policy".
std::unique_ptr<Policy> make_named_policy(const std::string& option, const std::string& spec, const SiteRules& rules = {});

using ProgressCallback = std::function<void(const simulator::SimulationProgress&)>;

/// Simulates; every record goes to `log`. The wall times cover the simulation alone. Throws medley::Error for options that do not fit the
/// workload. Thread rule: calls may run in parallel.
io::WallTimes run_experiment(const Workload& workload, Policy& policy, const ExperimentOptions& options, std::uint64_t seed, EventSink& log,
                             const ProgressCallback& progress);

}  // namespace medley::cli
