#pragma once
/// One policy on a few jobs, in whole seconds.

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "planner/policies/policy_table.h"
#include "tests/support/simulated_run.h"
#include "tests/support/toy_cluster.h"

namespace medley::test {

inline constexpr double kNeverStarted = -1;

struct ToyRun {
    SimulatedRun run;
    std::vector<double> starts, finishes;  ///< seconds, by job; kNeverStarted where there is none
};

inline ToyRun run_toy(const std::string& policy, const std::vector<int>& gpus, std::vector<Job> jobs,
                      simulator::SimulationOptions options = {}, const CostModel& speeds = ToySpeeds(), const SiteRules& rules = {}) {
    const std::unique_ptr<Policy> scheduler = planner::make_policy(policy, rules);
    options.scheduler.round = scheduler->traits().default_round;
    const Trace trace{.jobs = std::move(jobs)};
    ToyRun toy{.run = run_simulation(toy_cluster(gpus), trace, speeds, *scheduler, options), .starts = {}, .finishes = {}};
    const auto seconds = [](const std::optional<SimTime>& time) { return time ? to_seconds(*time).value : kNeverStarted; };
    for (const JobRow& row : toy.run.rows) {
        toy.starts.push_back(seconds(row.first_start));
        toy.finishes.push_back(seconds(row.finish));
    }
    return toy;
}

inline ToyRun run_toy_site(const std::string& policy, const std::vector<int>& gpus, std::vector<Job> jobs, const SiteRules& rules) {
    return run_toy(policy, gpus, std::move(jobs), {}, ToySpeeds(), rules);
}

using Times = std::vector<double>;

/// With a declared limit.
inline Job declared(Job job, double walltime_s) {
    job.walltime = Seconds{walltime_s};
    return job;
}

}  // namespace medley::test
