// Gavel's own physical-cluster traces and measured throughputs (Narayanan et al., OSDI 2020): optima of its programs by an independent
// solver, and results of its unmodified simulator. Its optima and so its single allocations are not unique, its agnostic policies draw
// at random, and its rounds end early and wait for the allocation of 1920 s: means and makespans agree within some per cent only.

#include <cstdio>

#include <gtest/gtest.h>

#include "gavel_data.h"
#include "planner/policies/grouped_shares.h"
#include "planner/policies/max_min.h"
#include "planner/policies/max_min_het.h"
#include "planner/policies/policy_table.h"
#include "planner/solvers/lp_solver_table.h"
#include "sched/scheduler.h"
#include "shipped_run.h"
#include "tests/support/log_checker.h"
#include "tests/support/no_log.h"

namespace medley::test {
namespace {

Cluster gavel_cluster(int v100, int p100, int k80) {
    Cluster cluster{.name = "gavel"};
    const std::pair<const char*, int> pools[] = {{"v100", v100}, {"p100", p100}, {"k80", k80}};
    for (const auto& [name, gpus] : pools) {
        if (gpus == 0) { continue; }
        cluster.nodes.push_back({.name = name, .count = gpus, .gpu = GpuTypeId(cluster.gpu_types.size()), .gpus = 1});
        cluster.gpu_types.push_back({.name = Name(name)});
    }
    return cluster;
}

double optimum(const Cluster& cluster, const std::string& trace_file, planner::GainRule gain) {
    const Trace trace = read_gavel_trace(*gavel_data() / "traces_physical" / trace_file);
    const GavelThroughputs speeds(*gavel_data() / "physical_cluster_singles.tsv", cluster);
    const auto policy = planner::make_policy("fifo");
    NoLog log;
    Scheduler scheduler(cluster, trace.jobs, speeds, *policy, log, {});
    std::vector<Event> events;
    for (std::size_t index = 0; index < trace.jobs.size(); ++index) { events.emplace_back(JobSubmitted{JobId(index)}); }
    scheduler.handle(events, SimTime{0});
    const ClusterView view = scheduler.view(SimTime{0});
    return planner::max_min_shares(view, view.present(), gain, {}, *planner::make_lp_solver()).value;
}

TEST(Gavel, TheAwareProgramHasTheOptimaOfAnIndependentSolver) {
    if (!gavel_data()) { GTEST_SKIP() << "Gavel's data is not there (set MEDLEY_SHARED_DATA)"; }
    EXPECT_NEAR(optimum(gavel_cluster(2, 2, 4), "small_test.trace", planner::proportional_gains), 0.48167633, 1e-7);
    EXPECT_NEAR(optimum(gavel_cluster(2, 2, 4), "medium_test.trace", planner::proportional_gains), 0.47617741, 1e-7);
    EXPECT_NEAR(optimum(gavel_cluster(2, 0, 4), "artifact_evaluation.trace", planner::proportional_gains), 0.48180173, 1e-7);
}

TEST(Gavel, TheBlindProgramHasTheOptimaOfAnIndependentSolver) {
    if (!gavel_data()) { GTEST_SKIP() << "Gavel's data is not there (set MEDLEY_SHARED_DATA)"; }
    EXPECT_NEAR(optimum(gavel_cluster(2, 2, 4), "small_test.trace", planner::equal_gains), 0.4, 1e-7);
    EXPECT_NEAR(optimum(gavel_cluster(2, 2, 4), "medium_test.trace", planner::equal_gains), 0.4, 1e-7);
    EXPECT_NEAR(optimum(gavel_cluster(2, 0, 4), "artifact_evaluation.trace", planner::equal_gains), 0.4, 1e-7);
}

SimulatedRun simulate_gavel(const Cluster& cluster, const std::string& trace_file, const std::string& policy_name) {
    const Trace trace = read_gavel_trace(*gavel_data() / "traces_physical" / trace_file);
    const GavelThroughputs speeds(*gavel_data() / "physical_cluster_singles.tsv", cluster);
    const auto policy = planner::make_policy(policy_name);
    simulator::SimulationOptions options;
    options.scheduler.round = policy->traits().default_round;
    return run_simulation(cluster, trace, speeds, *policy, options);
}

struct Baseline {
    const char* policy;
    const char* trace;
    int v100, p100, k80;
    double mean_jct_s, makespan_s;
    /// Its blind fairness spreads every job over all types, ours leaves jobs where they are: reported only.
    bool comparable = true;
};

TEST(Gavel, MeansAndMakespansComeNearItsSimulator) {
    if (!gavel_data()) { GTEST_SKIP() << "Gavel's data is not there (set MEDLEY_SHARED_DATA)"; }
    const Baseline baselines[] = {
        {"isolated", "artifact_evaluation.trace", 2, 0, 4, 5081.7, 6560.9},
        {"max-min", "artifact_evaluation.trace", 2, 0, 4, 5254.2, 7124.9, false},
        {"max-min-het", "artifact_evaluation.trace", 2, 0, 4, 4060.8, 5868.8},
        {"max-min", "max_min_fairness.trace", 8, 16, 24, 18705.4, 70929.1, false},
        {"max-min-het", "max_min_fairness.trace", 8, 16, 24, 13766.0, 61591.2},
    };
    for (const Baseline& baseline : baselines) {
        SCOPED_TRACE(std::string(baseline.policy) + " on " + baseline.trace);
        const SimulatedRun run = simulate_gavel(gavel_cluster(baseline.v100, baseline.p100, baseline.k80), baseline.trace, baseline.policy);
        EXPECT_EQ(run.summary.jobs_completed, run.summary.jobs_total);
        const double makespan_s = run.summary.makespan_s.value();
        std::printf("%-12s %-26s mean JCT %.0f s (Gavel %.0f), makespan %.0f s (%.0f)\n", baseline.policy, baseline.trace, mean_jct_s(run),
                    baseline.mean_jct_s, makespan_s, baseline.makespan_s);
        if (!baseline.comparable) { continue; }
        EXPECT_NEAR(mean_jct_s(run), baseline.mean_jct_s, 0.1 * baseline.mean_jct_s);
        EXPECT_NEAR(makespan_s, baseline.makespan_s, 0.1 * baseline.makespan_s);
    }
}

}  // namespace
}  // namespace medley::test
