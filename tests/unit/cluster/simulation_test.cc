#include "simulator/cluster/simulation.h"

#include <map>

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/support/log_checker.h"
#include "tests/support/simulated_run.h"
#include "tests/support/toy_cluster.h"

namespace medley::simulator {
namespace {

using test::at;
using test::toy_job;
using test::type_id;

/// Wants what its script says, at the times it says.
class Scripted : public Policy {
 public:
    explicit Scripted(std::map<SimTime, std::vector<Change>> script) : script_(std::move(script)) {}

    const PolicyTraits& traits() const override { return traits_; }
    Decision decide(const ClusterView& view) override {
        Decision decision;
        while (!script_.empty() && script_.begin()->first <= view.now()) {
            decision.changes.insert(decision.changes.end(), script_.begin()->second.begin(), script_.begin()->second.end());
            script_.erase(script_.begin());
        }
        if (!script_.empty()) { decision.ask_again = script_.begin()->first; }
        return decision;
    }
    PolicyTraits traits_{.name = "scripted"};

 private:
    std::map<SimTime, std::vector<Change>> script_;
};

Change give(std::size_t job, std::size_t type, int gpus) { return {.job = JobId(job), .target = Allocation::of(type_id(type), gpus)}; }
Change take_back(std::size_t job) { return {.job = JobId(job), .target = {}}; }

Change give_mix(std::size_t job, Grants grants) {
    auto plan = std::make_shared<Plan>();
    for (const Grant& grant : grants) { plan->groups.push_back({.replicas = grant.gpus, .virtual_nodes = {Samples{1}}}); }
    return {.job = JobId(job), .target = {.grants = std::move(grants), .plan = plan}};
}

double ledger_s(const test::SimulatedRun& run, LedgerBin bin) { return gpu_seconds(run.summary.ledger[bin]); }

class SimulationTest : public ::testing::Test {
 protected:
    test::SimulatedRun run(Policy& policy, double exponent = 1) {
        auto result = run_simulation(cluster, trace, test::ToySpeeds(exponent, 0), policy, options);
        const test::LogReport report = test::check_log_text(result.events);
        EXPECT_TRUE(report.clean()) << report.violations.front();
        return result;
    }
    test::SimulatedRun play(std::map<SimTime, std::vector<Change>> script) {
        Scripted policy(std::move(script));
        return run(policy);
    }
    test::SimulatedRun fifo() {
        test::ToyFifo policy;
        return run(policy);
    }
    Cluster cluster = test::toy_cluster({4, 4});
    Trace trace;
    SimulationOptions options;
};

TEST_F(SimulationTest, ChargesStartUpBeforeTheFirstProgress) {
    trace.jobs = {toy_job("a", 10, 2, 100)};
    options.scheduler.costs.startup = Seconds{30};
    const auto result = fifo();
    EXPECT_EQ(result.rows[0].first_start, at(10));
    EXPECT_EQ(result.rows[0].finish, at(140));
    EXPECT_EQ(ledger_s(result, LedgerBin::kStartup), 60);
    EXPECT_EQ(ledger_s(result, LedgerBin::kUseful), 200);
}

// Runs 0-40, checkpoints 40-45, waits to 60, restarts 60-80, and has 60 s of work left.
TEST_F(SimulationTest, ChargesCheckpointAndRestartForAPreemption) {
    trace.jobs = {toy_job("a", 0, 2, 100)};
    options.scheduler.costs = {.restart = Seconds{20}, .checkpoint = Seconds{5}};
    const auto result = play({{at(0), {give(0, 0, 2)}}, {at(40), {take_back(0)}}, {at(60), {give(0, 1, 2)}}});
    EXPECT_EQ(result.rows[0].finish, at(140));
    EXPECT_EQ(result.rows[0].waiting_s, 15);
    EXPECT_EQ(result.rows[0].preemptions, 1U);
    EXPECT_EQ(ledger_s(result, LedgerBin::kCheckpoint), 10);
    EXPECT_EQ(ledger_s(result, LedgerBin::kStartup), 40);
}

// Work 30 at 30 s with one GPU, then 70 more at twice the speed: 30 + 35. The gained GPU is held from 10 s on.
TEST_F(SimulationTest, GoesOnAtTheOldSpeedWhileAResizeGainsGpus) {
    trace.jobs = {toy_job("a", 0, 1, 100)};
    options.scheduler.costs.resize = Seconds{20};
    const auto result = play({{at(0), {give(0, 0, 1)}}, {at(10), {give(0, 0, 2)}}});
    EXPECT_EQ(result.rows[0].finish, at(65));
    EXPECT_EQ(result.rows[0].resizes, 1U);
    EXPECT_EQ(ledger_s(result, LedgerBin::kResize), 20);
    EXPECT_EQ(result.rows[0].gpu_seconds, 10 + 2 * 55);
}

TEST_F(SimulationTest, GivesGpusUpAtOnce) {
    trace.jobs = {toy_job("a", 0, 2, 100)};
    options.scheduler.costs.resize = Seconds{20};
    const auto result = play({{at(0), {give(0, 0, 2)}}, {at(10), {give(0, 0, 1)}}});
    EXPECT_EQ(result.rows[0].finish, at(10 + 180));
    EXPECT_EQ(ledger_s(result, LedgerBin::kResize), 0);
}

// 10 done with 2 GPUs at speed 1; from 10 to 30 only the kept one works (speed 1/2): 20 done; then 4 GPUs at speed 2: 40 s more.
TEST_F(SimulationTest, WorksWithWhatItKeepsWhereAResizeGivesAndTakes) {
    trace.jobs = {toy_job("a", 0, 2, 100)};
    options.scheduler.costs.resize = Seconds{20};
    const auto result = play({{at(0), {give(0, 0, 2)}}, {at(10), {give_mix(0, {{type_id(0), 1}, {type_id(1), 3}})}}});
    EXPECT_EQ(result.rows[0].finish, at(70));
    EXPECT_EQ(ledger_s(result, LedgerBin::kResize), 60);
}

TEST_F(SimulationTest, FinishesEvenWhileAResizeIsUnderWay) {
    trace.jobs = {toy_job("a", 0, 1, 20)};
    options.scheduler.costs.resize = Seconds{60};
    EXPECT_EQ(play({{at(0), {give(0, 0, 1)}}, {at(10), {give(0, 0, 4)}}}).rows[0].finish, at(20));
}

TEST_F(SimulationTest, MovesBetweenTypesByCheckpointAndRestart) {
    trace.jobs = {toy_job("a", 0, 2, 100)};
    options.scheduler.costs = {.restart = Seconds{20}, .checkpoint = Seconds{5}};
    const auto result = play({{at(0), {give(0, 0, 2)}}, {at(40), {give(0, 1, 2)}}});
    EXPECT_EQ(result.rows[0].finish, at(40 + 5 + 20 + 60));
    EXPECT_EQ(result.summary.migrations, 1U);
}

// Saved every 10 s: at 35 s the work of 5 s is lost, on 2 GPUs. The GPU is back at 50, and 70 s of work are left.
TEST_F(SimulationTest, LosesTheWorkSinceTheLastCheckpointWithItsGpus) {
    cluster = test::toy_cluster({2});
    trace.jobs = {toy_job("a", 0, 2, 100)};
    options.checkpoint_interval = Seconds{10};
    options.availability = {{at(35), type_id(0), -1}, {at(50), type_id(0), +1}};
    const auto result = fifo();
    EXPECT_EQ(result.rows[0].finish, at(120));
    EXPECT_EQ(result.summary.evictions, 1U);
    EXPECT_EQ(ledger_s(result, LedgerBin::kLostWork), 10);
    EXPECT_EQ(ledger_s(result, LedgerBin::kDown), 15);
    EXPECT_EQ(ledger_s(result, LedgerBin::kUseful), 200);
}

TEST_F(SimulationTest, LosesNothingWithoutACheckpointInterval) {
    cluster = test::toy_cluster({2});
    trace.jobs = {toy_job("a", 0, 2, 100)};
    options.availability = {{at(35), type_id(0), -1}, {at(50), type_id(0), +1}};
    EXPECT_EQ(fifo().rows[0].finish, at(115));
}

TEST_F(SimulationTest, AsksOnceAboutEverythingThatHappensInOneMoment) {
    trace.jobs = {toy_job("a", 0, 1, 100), toy_job("b", 0, 1, 100), toy_job("c", 100, 1, 10)};
    const auto result = fifo();
    EXPECT_EQ(result.result.decisions, 3U);  // at 0; at 100 (two finishes and a submission); at 110
}

TEST_F(SimulationTest, InRoundsFreedGpusWaitForTheNextRoundAndJobsFinishAtTheirTrueTime) {
    cluster = test::toy_cluster({1});
    trace.jobs = {toy_job("a", 5, 1, 100), toy_job("b", 6, 1, 10)};
    options.scheduler.round = Seconds{60};
    const auto result = fifo();
    EXPECT_EQ(result.rows[0].first_start, at(60));
    EXPECT_EQ(result.rows[0].finish, at(160));
    EXPECT_EQ(result.rows[1].first_start, at(180));
    EXPECT_EQ(result.rows[1].finish, at(190));
}

TEST_F(SimulationTest, EndsWhenNothingCanHelpTheJobsThatAreLeft) {
    trace.jobs = {toy_job("a", 0, 1, 100)};
    EXPECT_EQ(play({}).result.jobs_unfinished, 1U);
}

/// Asks to be asked again, for ever, and does nothing.
class Restless : public Policy {
 public:
    const PolicyTraits& traits() const override { return traits_; }
    Decision decide(const ClusterView& view) override { return {.ask_again = view.now() + at(1)}; }
    PolicyTraits traits_{.name = "restless"};
};

TEST_F(SimulationTest, EndsUnderAPolicyThatNeverDoesAnything) {
    trace.jobs = {toy_job("a", 0, 1, 100)};
    Restless policy;
    const auto result = run(policy);
    EXPECT_EQ(result.result.jobs_unfinished, 1U);
    EXPECT_EQ(result.summary.jobs_unfinished, 1U);
}

/// Fifo that notes what it is told of job 0's speed on one GPU.
class Curious : public test::ToyFifo {
 public:
    Decision decide(const ClusterView& view) override {
        believed = view.speed(JobId(std::size_t{0}), type_id(0), 1).work_per_s;
        return ToyFifo::decide(view);
    }
    double believed = 0;
};

class HalfSpeed : public test::ToySpeeds {
 public:
    JobSpeed speed(const Job&, GpuTypeId, int) const override { return {.work_per_s = 0.5}; }
};

TEST_F(SimulationTest, MovesJobsByTheWorldAndShowsThePolicyItsBelief) {
    trace.jobs = {toy_job("a", 0, 1, 100)};
    Curious policy;
    Metrics metrics;
    simulate(cluster, trace, HalfSpeed(), test::ToySpeeds(), policy, metrics, options);
    EXPECT_EQ(policy.believed, 1);
    EXPECT_EQ(metrics.row(0).finish, at(200));
}

TEST_F(SimulationTest, AJobThatCannotRunWhereItWasPutHoldsItsGpusAndStaysUnfinished) {
    trace.jobs = {toy_job("a", 0, 1, 100)};
    test::ToyFifo policy;
    class Still : public test::ToySpeeds {
     public:
        JobSpeed speed(const Job&, GpuTypeId, int) const override { return {}; }
    };
    Metrics stuck;
    EXPECT_EQ(simulate(cluster, trace, Still(), test::ToySpeeds(), policy, stuck, options).jobs_unfinished, 1U);
}

TEST_F(SimulationTest, ReportsProgressAFewTimesOnly) {
    for (int index = 0; index < 5000; ++index) { trace.jobs.push_back(toy_job(std::to_string(index), index, 1, 1)); }
    int calls = 0;
    std::size_t last = 0;
    options.progress = [&](const SimulationProgress& progress) {
        ++calls;
        EXPECT_GE(progress.jobs_done, last);
        last = progress.jobs_done;
    };
    fifo();
    EXPECT_GT(calls, 500);
    EXPECT_LE(calls, 1100);
    EXPECT_GT(last, 4900U);
}

TEST_F(SimulationTest, RefusesOptionsThatMakeNoSense) {
    trace.jobs = {toy_job("a", 0, 1, 100)};
    const auto refused = [&](auto spoil) {
        test::ToyFifo policy;
        SimulationOptions wrong;
        spoil(wrong);
        EXPECT_THROW(run_simulation(cluster, trace, test::ToySpeeds(), policy, wrong), Error);
    };
    refused([](SimulationOptions& wrong) { wrong.scheduler.round = Seconds{-1}; });
    refused([](SimulationOptions& wrong) { wrong.checkpoint_interval = Seconds{NAN}; });
    refused([](SimulationOptions& wrong) { wrong.speed_noise = -0.1; });
    refused([](SimulationOptions& wrong) { wrong.accounting = Accounting::kVirtualFlowLogs; });
    refused([](SimulationOptions& wrong) { wrong.availability = {{at(1), type_id(0), -5}}; });
}

/// Gives the whole first type to one of two jobs in turn, at every round.
class Seesaw : public Policy {
 public:
    const PolicyTraits& traits() const override { return traits_; }
    Decision decide(const ClusterView& view) override {
        const std::vector<JobId> jobs = view.present();
        Decision decision;
        for (std::size_t index = 0; index < jobs.size(); ++index) {
            const bool turn = (round_ + index) % jobs.size() == 0;
            decision.changes.push_back({.job = jobs[index], .target = turn ? Allocation::of(type_id(0), 2) : Allocation{}});
        }
        ++round_;
        return decision;
    }

 private:
    std::size_t round_ = 0;
    PolicyTraits traits_{.name = "seesaw"};
};

TEST_F(SimulationTest, EndsWithUnfinishedJobsWhenRestartsTakeAsLongAsTheirTurns) {
    trace.jobs = {toy_job("a", 0, 2, 100), toy_job("b", 0, 2, 100)};
    options.scheduler.round = Seconds{10};
    options.scheduler.costs = {.startup = Seconds{10}, .restart = Seconds{10}};
    Seesaw policy;
    EXPECT_EQ(run(policy).summary.jobs_unfinished, 2U);
    options.scheduler.costs.restart = Seconds{9};
    Seesaw shorter;
    EXPECT_EQ(run(shorter).summary.jobs_unfinished, 0U);
}

}  // namespace
}  // namespace medley::simulator
