#include "cli/experiment.h"

#include <string_view>

#include <fmt/format.h>

#include "cli/interruption.h"
#include "cli/options.h"
#include "cli/timed_policy.h"
#include "core/error.h"
#include "cost/profile_cost_model.h"
#include "io/scalar.h"
#include "planner/policies/policy_table.h"

namespace medley::cli {
namespace {

constexpr const char* kVirtualFlowLogs = "virtualflow-logs";

void require_window_in(const Window& window, std::size_t jobs) {
    if (window.whole() || window.last <= jobs) { return; }
    refuse_value("--window", fmt::format("{}:{}", window.first, window.last), fmt::format("a part of the trace's {} jobs", jobs));
}

simulator::SimulationOptions simulation_options(const Workload& workload, const Policy& policy, const ExperimentOptions& options,
                                                std::uint64_t seed) {
    simulator::SimulationOptions simulation;
    simulation.scheduler = {.round = options.round.value_or(policy.traits().default_round),
                            .costs = options.costs,
                            .policy_latency = options.policy_latency,
                            .seed = seed,
                            .compat = options.compat};
    simulation.availability = workload.availability;
    simulation.checkpoint_interval = options.checkpoint_interval;
    simulation.speed_noise = options.speed_noise;
    simulation.seed = seed;
    if (options.compat == kVirtualFlowLogs) { simulation.accounting = simulator::Accounting::kVirtualFlowLogs; }
    return simulation;
}

std::vector<std::string_view> policy_names() {
    std::vector<std::string_view> names;
    for (const planner::PolicyInfo& policy : planner::known_policies()) { names.push_back(policy.name); }
    return names;
}

}  // namespace

std::unique_ptr<Policy> make_named_policy(const std::string& option, const std::string& spec, const SiteRules& rules) {
    try {
        return planner::make_policy(spec, rules);
    } catch (const Error& error) {
        constexpr std::string_view kPolicy = "policy";
        Problem problem = error.problem();
        const bool unknown = problem.place == kPolicy;
        const std::size_t dashes = problem.place.starts_with("--") ? 2 : 0;
        if (problem.place.substr(dashes).starts_with(kPolicy)) { problem.place.replace(0, dashes + kPolicy.size(), option); }
        if (unknown) { problem.expected = io::expected_name(problem.found, policy_names()); }
        throw Error(std::move(problem));
    }
}

void add_experiment_options(CLI::App& app, ExperimentOptions& options) {
    add_duration(app, "--round", options.round, "Ask the policy only at multiples of this; 0 = at every event (default: the policy's own)");
    add_duration(app, "--startup-overhead", options.costs.startup, "From a first launch to the first progress (default 0)");
    add_duration(app, "--restart-overhead", options.costs.restart, "From a later launch to further progress (default 0)");
    add_duration(app, "--resize-overhead", options.costs.resize, "From gaining GPUs to using them (default 0)");
    add_duration(app, "--checkpoint-overhead", options.costs.checkpoint, "GPUs held without progress before a stop (default 0)");
    add_duration(app, "--checkpoint-interval", options.checkpoint_interval,
                 "Work since the last multiple of this is lost with the GPUs; 0 = nothing is ever lost (default 0)");
    add_duration(app, "--policy-latency", options.policy_latency, "A decision takes effect this much later (default 0)");
    add_number(app, "--speed-noise", options.speed_noise, {0, 10}, "Sigma of the log-normal factor on every job's true speed (default 0)");
    add_choice(app, "--compat", options.compat, {kVirtualFlowLogs}, "Count as a published simulator did, mistakes included");
    add_window(app, "--window", options.window, "Per-job figures of jobs FIRST to LAST-1 in order of submission only");
}

io::WallTimes run_experiment(const Workload& workload, Policy& policy, const ExperimentOptions& options, std::uint64_t seed, EventSink& log,
                             const ProgressCallback& progress) {
    require_window_in(options.window, workload.trace.jobs.size());
    const Stopwatch stopwatch;
    const ProfileCostModel speeds(workload.cluster, workload.profiles);
    TimedPolicy timed(policy);
    simulator::SimulationOptions simulation = simulation_options(workload, policy, options, seed);
    simulation.progress = progress;
    InterruptibleSink interruptible(log);
    simulator::simulate(workload.cluster, workload.trace, speeds, speeds, timed, interruptible, simulation);
    return {.total_s = stopwatch.elapsed_s(), .policy_s = timed.elapsed_s()};
}

}  // namespace medley::cli
