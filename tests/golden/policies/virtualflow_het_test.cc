// VirtualFlow's heterogeneous simulations: cluster A (4 V100, 8 P100, 16 K80), jobs that take whole pools, rounds of 360 s.
//
// Figures are those of the published logs (Or, Zhang, Freedman, MLSys 2022) and of a re-simulation of the same rules with correct
// accounting. Optimal shares are not unique, so each has a band; where a figure does not depend on the choice, it is exact.

#include <cstdio>
#include <string>

#include <gtest/gtest.h>

#include "core/rng.h"
#include "cost/profile_cost_model.h"
#include "io/cluster_file.h"
#include "planner/policies/policy_table.h"
#include "planner/policies/virtualflow.h"
#include "planner/solvers/lp_solver_table.h"
#include "shipped_run.h"
#include "tests/support/log_checker.h"
#include "tests/support/no_log.h"
#include "tests/support/source_folder.h"

namespace medley::test {
namespace {

constexpr const char* kGavel = "virtualflow:mixed=false";
constexpr const char* kMixed = "virtualflow";

ShippedInput jobs_per_hour(int rate) {
    return {.trace = "virtualflow-het-" + std::to_string(rate) + ".csv", .cluster = "virtualflow-a.yaml", .profiles = ""};
}

SimulatedRun run_as_published(int rate, const char* policy) {
    simulator::SimulationOptions options;
    options.accounting = simulator::Accounting::kVirtualFlowLogs;
    options.scheduler.compat = "virtualflow-logs";
    return run_shipped(jobs_per_hour(rate), policy, options);
}

void expect_within(double value, double expected, double tolerance) {
    EXPECT_GE(value, expected * (1 - tolerance));
    EXPECT_LE(value, expected * (1 + tolerance));
}

TEST(VirtualflowHet, FourJobsAnHourReproduceThePublishedLogs) {
    const SimulatedRun gavel = run_as_published(4, kGavel);
    const SimulatedRun mixed = run_as_published(4, kMixed);
    expect_within(mean_jct_s(gavel), 1137, 0.04);
    expect_within(mean_jct_s(mixed), 805, 0.04);
    EXPECT_NEAR(100 * reduction(mean_jct_s(gavel), mean_jct_s(mixed)), 29, 3);
    expect_within(last_finish_s(gavel), 17397, 0.01);
    expect_within(last_finish_s(mixed), 16688, 0.01);
}

TEST(VirtualflowHet, OneAndThreeJobsAnHourEndWhenThePublishedLogsSay) {
    EXPECT_NEAR(last_finish_s(run_as_published(1, kGavel)), 49985, 1);
    EXPECT_NEAR(last_finish_s(run_as_published(1, kMixed)), 49604, 1);
    EXPECT_NEAR(last_finish_s(run_as_published(3, kGavel)), 17914, 1);
    EXPECT_NEAR(last_finish_s(run_as_published(3, kMixed)), 17852, 1);
}

struct Correct {
    int rate;
    double gavel_s, mixed_s;  ///< of the re-simulation: the simplex solution for 3, the interior one for 1 and 4 jobs an hour
    double gain_percent;
};

TEST(VirtualflowHet, CorrectAccountingGivesTheHonestGains) {
    for (const Correct& expected : {Correct{1, 1289, 986, 23}, Correct{3, 1136, 919, 20}, Correct{4, 1265, 936, 26}}) {
        SCOPED_TRACE(expected.rate);
        const SimulatedRun gavel = run_shipped(jobs_per_hour(expected.rate), kGavel);
        const SimulatedRun mixed = run_shipped(jobs_per_hour(expected.rate), kMixed);
        expect_within(mean_jct_s(gavel), expected.gavel_s, 0.04);
        expect_within(mean_jct_s(mixed), expected.mixed_s, 0.04);
        EXPECT_NEAR(100 * reduction(mean_jct_s(gavel), mean_jct_s(mixed)), expected.gain_percent, 4);
    }
}

TEST(VirtualflowHet, EveryJobDoesAllItsWorkAndOnlyWhileItHoldsGpus) {
    for (int rate = 1; rate <= 5; ++rate) {
        for (const char* policy : {kGavel, kMixed}) {
            const LogReport report = check_log_text(run_shipped(jobs_per_hour(rate), policy).events);
            EXPECT_TRUE(report.clean()) << rate << " " << policy << ": " << report.violations.front();
            EXPECT_EQ(report.jobs_completed, 20U);
        }
    }
}

TEST(VirtualflowHet, TheSameRunWritesTheSameBytes) {
    EXPECT_EQ(run_shipped(jobs_per_hour(4), kMixed).events, run_shipped(jobs_per_hour(4), kMixed).events);
}

// ---- The program ----

Job pool_job(const std::string& model, std::int64_t batch, std::int64_t steps, double weight) {
    Job job;
    job.id = model + std::to_string(steps);
    job.model = Name(model);
    job.gpus = kWholePool;
    job.batch_size = batch;
    job.steps = steps;
    job.priority = job.weight = weight;
    return job;
}

double max_min_value(const std::vector<Job>& jobs) {
    const Cluster cluster = io::load_cluster(test::source_path("profiles/clusters/virtualflow-a.yaml"));
    const ProfileCostModel speeds(cluster, shipped_profiles(""));
    const std::unique_ptr<Policy> policy = planner::make_policy("fifo");
    NoLog log;
    Scheduler scheduler(cluster, jobs, speeds, *policy, log, {});
    std::vector<Event> events;
    for (std::size_t index = 0; index < jobs.size(); ++index) { events.emplace_back(JobSubmitted{JobId(index)}); }
    scheduler.handle(events, SimTime{0});
    const ClusterView view = scheduler.view(SimTime{0});
    return planner::virtualflow_shares(view, view.present(), *planner::make_lp_solver()).value;
}

TEST(VirtualflowHet, TheProgramHasThePublishedOptima) {
    // One Transformer: all time on the K80s, 16 x 21927.81 / mean(32851.15, 36268.89, 21927.81) = 11.56024.
    EXPECT_NEAR(max_min_value({pool_job("transformer", 65536, 1000, 1)}), 11.5602394, 1e-6);
    EXPECT_NEAR(max_min_value({pool_job("bert-base-sst2", 2048, 320, 10)}), 1.2136562, 1e-6);
    EXPECT_NEAR(max_min_value({pool_job("resnet50", 8192, 156, 5)}), 1.4055619, 1e-6);
    EXPECT_NEAR(max_min_value({pool_job("transformer", 65536, 1000, 1), pool_job("resnet50", 8192, 156, 5)}), 1.4055619, 1e-6);
}

// ---- Generated traces: the gain fades as pools stop being idle ----

Trace generated(double per_hour, std::uint64_t seed) {
    Rng random(seed);
    Trace trace;
    double now = 1;
    for (int index = 0; index < 20; ++index) {
        const double weights[] = {1, 5, 10};
        const Job kinds[] = {pool_job("resnet50", 8192, 156, 1), pool_job("bert-base-sst2", 2048, 320, 1),
                             pool_job("bert-base-cola", 1024, 80, 1), pool_job("transformer", 65536, 500, 1),
                             pool_job("transformer", 65536, 1000, 1)};
        Job job = kinds[random.below(5)];
        job.id = std::to_string(index);
        job.submit = to_sim_time(Seconds{now});
        job.priority = job.weight = weights[random.below(3)];
        trace.jobs.push_back(job);
        now += random.exponential(3600 / per_hour);
    }
    return trace;
}

double mean_gain_percent(double per_hour) {
    const Cluster cluster = io::load_cluster(test::source_path("profiles/clusters/virtualflow-a.yaml"));
    const ProfileCostModel speeds(cluster, shipped_profiles(""));
    constexpr int kSeeds = 20;
    double sum = 0;
    for (int seed = 0; seed < kSeeds; ++seed) {
        const Trace trace = generated(per_hour, static_cast<std::uint64_t>(seed));
        const auto mean = [&](const char* name) {
            const std::unique_ptr<Policy> policy = planner::make_policy(name);
            simulator::SimulationOptions options;
            options.scheduler.round = policy->traits().default_round;
            return mean_jct_s(run_simulation(cluster, trace, speeds, *policy, options));
        };
        sum += 100 * reduction(mean(kGavel), mean(kMixed));
    }
    return sum / kSeeds;
}

TEST(VirtualflowHet, TheGainFadesWithLoad) {
    const double at_4 = mean_gain_percent(4);
    const double at_12 = mean_gain_percent(12);
    std::printf("mean gain of mixed allocations over 20 generated traces: %.1f %% at 4 jobs/h, %.1f %% at 12 jobs/h\n", at_4, at_12);
    EXPECT_LT(at_12, at_4 / 2);
}

}  // namespace
}  // namespace medley::test
