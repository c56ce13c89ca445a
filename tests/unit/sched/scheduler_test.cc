#include "sched/scheduler.h"

#include <functional>
#include <string>

#include <gtest/gtest.h>

namespace medley {
namespace {

const GpuTypeId kFast{std::size_t{0}};
const GpuTypeId kSlow{std::size_t{1}};

JobId id(std::size_t index) { return JobId(index); }
SimTime at(double seconds) { return to_sim_time(Seconds{seconds}); }

Cluster two_types() {
    Cluster cluster;
    cluster.name = "test";
    cluster.gpu_types = {GpuType{.name = Name("fast")}, GpuType{.name = Name("slow")}};
    cluster.nodes = {NodeGroup{.count = 1, .gpu = kFast, .gpus = 4}, NodeGroup{.count = 1, .gpu = kSlow, .gpus = 4}};
    return cluster;
}

/// Two units a second on a fast GPU, one on a slow one.
class TwiceAsFast : public CostModel {
 public:
    JobSpeed speed(const Job&, GpuTypeId type, int gpus) const override { return {.work_per_s = (type == kFast ? 2.0 : 1.0) * gpus}; }
    JobSpeed speed(const Job&, const Plan&) const override { return {}; }
    const Profile* profile(Name) const override { return nullptr; }
};

class Scripted : public Policy {
 public:
    using Script = std::function<Decision(const ClusterView&)>;
    const PolicyTraits& traits() const override { return traits_; }
    Decision decide(const ClusterView& view) override {
        ++asked;
        return script ? script(view) : Decision{};
    }
    Script script;
    PolicyTraits traits_{.name = "scripted", .information = InformationClass::kOracle};
    int asked = 0;
};

class Collected : public EventSink {
 public:
    void record(const LogRecord& record) override { records.push_back(record); }
    template <class Kind>
    std::vector<Kind> all() const {
        std::vector<Kind> found;
        for (const LogRecord& record : records) {
            if (const auto* one = std::get_if<Kind>(&record)) { found.push_back(*one); }
        }
        return found;
    }
    std::vector<LogRecord> records;
};

class SchedulerTest : public ::testing::Test {
 protected:
    Job& add_job(int gpus, double seconds = 100) {
        Job job;
        job.id = std::to_string(jobs.size());
        job.gpus = gpus;
        job.duration = Seconds{seconds};
        return jobs.emplace_back(job);
    }
    Scheduler& start(const SchedulerOptions& options = {}) {
        scheduler = std::make_unique<Scheduler>(cluster, jobs, speeds, policy, log, options);
        return *scheduler;
    }
    std::vector<Action> handle(std::vector<Event> events, double seconds) {
        const auto actions = scheduler->handle(events, at(seconds));
        return {actions.begin(), actions.end()};
    }
    template <class Kind>
    static std::vector<Kind> only(const std::vector<Action>& actions) {
        std::vector<Kind> found;
        for (const Action& action : actions) {
            if (const auto* one = std::get_if<Kind>(&action)) { found.push_back(*one); }
        }
        return found;
    }
    void launch_running(std::size_t job, const Allocation& allocation, double seconds) {
        policy.script = [=](const ClusterView&) { return Decision{.changes = {{.job = id(job), .target = allocation}}}; };
        ASSERT_EQ(only<Launch>(handle({JobSubmitted{id(job)}}, seconds)).size(), 1U);
        policy.script = {};
        handle({JobRunning{.job = id(job), .work_per_s = 1}}, seconds);
    }
    void decide_next(const std::vector<Change>& changes) {
        policy.script = [this, changes](const ClusterView&) {
            Decision decision{.changes = changes};
            policy.script = {};  // destroys this very lambda
            return decision;
        };
    }

    Cluster cluster = two_types();
    std::vector<Job> jobs;
    TwiceAsFast speeds;
    Scripted policy;
    Collected log;
    std::unique_ptr<Scheduler> scheduler;
};

TEST_F(SchedulerTest, LaunchesWhatThePolicyWantsAndChargesStartUpOnceAndRestartAfterwards) {
    add_job(2);
    start({.costs = {.startup = Seconds{75}, .restart = Seconds{30}, .checkpoint = Seconds{5}}});
    decide_next({{.job = id(0), .target = Allocation::of(kFast, 2)}});
    const auto launches = only<Launch>(handle({JobSubmitted{id(0)}}, 1));
    ASSERT_EQ(launches.size(), 1U);
    EXPECT_EQ(launches[0].overhead, Seconds{75});
    EXPECT_FALSE(launches[0].restart);
    handle({JobRunning{.job = id(0), .work_per_s = 4}}, 76);
    EXPECT_EQ(scheduler->phase(id(0)), JobPhase::kRunning);

    decide_next({{.job = id(0), .target = {}}});
    add_job(1);
    const auto stops = only<Stop>(handle({JobSubmitted{id(1)}}, 80));
    ASSERT_EQ(stops.size(), 1U);
    EXPECT_EQ(stops[0].overhead, Seconds{5});
    handle({JobStopped{.job = id(0), .work_done = 16}}, 85);
    EXPECT_TRUE(scheduler->held(id(0)).empty());
    EXPECT_EQ(log.all<StopRecord>().at(0).reason, StopReason::kPreempted);

    decide_next({{.job = id(0), .target = Allocation::of(kSlow, 2)}});
    const auto again = only<Launch>(handle({JobFinished{.job = id(1)}}, 90));
    ASSERT_EQ(again.size(), 1U);
    EXPECT_EQ(again[0].overhead, Seconds{30});
    EXPECT_TRUE(again[0].restart);
}

TEST_F(SchedulerTest, ALaunchOnGpusThatAnotherJobMustGiveBackFollowsThatJobsStop) {
    add_job(4);
    add_job(4);
    start();
    launch_running(0, Allocation::of(kFast, 4), 0);
    decide_next({{.job = id(1), .target = Allocation::of(kFast, 4)}, {.job = id(0), .target = {}}});
    const auto first = handle({JobSubmitted{id(1)}}, 10);
    EXPECT_EQ(only<Stop>(first).size(), 1U);
    EXPECT_TRUE(only<Launch>(first).empty());
    const int asked = policy.asked;
    const auto second = handle({JobStopped{.job = id(0), .work_done = 10}}, 10);
    ASSERT_EQ(only<Launch>(second).size(), 1U);
    EXPECT_EQ(only<Launch>(second)[0].job, id(1));
    EXPECT_EQ(policy.asked, asked) << "a stop that the policy wanted is no news to it";
}

TEST_F(SchedulerTest, TwoJobsThatExchangeTheirPoolsDoNotBlockEachOther) {
    add_job(4);
    add_job(4);
    start();
    launch_running(0, Allocation::of(kFast, 4), 0);
    launch_running(1, Allocation::of(kSlow, 4), 0);
    add_job(1);
    decide_next({{.job = id(0), .target = Allocation::of(kSlow, 4)}, {.job = id(1), .target = Allocation::of(kFast, 4)}});
    EXPECT_EQ(only<Stop>(handle({JobSubmitted{id(2)}}, 5)).size(), 2U);
    const auto actions = handle({JobStopped{.job = id(0)}, JobStopped{.job = id(1)}}, 5);
    EXPECT_EQ(only<Launch>(actions).size(), 2U);
    EXPECT_EQ(log.all<StopRecord>().at(0).reason, StopReason::kMigrating);
}

TEST_F(SchedulerTest, TwoMixedJobsThatTradeHalvesReleaseBeforeTheyGain) {
    add_job(4);
    add_job(4);
    start();
    const Allocation mostly_fast{.grants = {{.type = kFast, .gpus = 3}, {.type = kSlow, .gpus = 1}}, .plan = nullptr};
    const Allocation mostly_slow{.grants = {{.type = kFast, .gpus = 1}, {.type = kSlow, .gpus = 3}}, .plan = nullptr};
    launch_running(0, mostly_fast, 0);
    launch_running(1, mostly_slow, 0);
    add_job(1);
    decide_next({{.job = id(0), .target = mostly_slow}, {.job = id(1), .target = mostly_fast}});
    const auto released = only<Resize>(handle({JobSubmitted{id(2)}}, 5));
    ASSERT_GE(released.size(), 1U);
    EXPECT_EQ(released[0].allocation.gpus(), 2) << "the first gives up two fast GPUs before it gains two slow ones";
    for (int step = 0; step < 4; ++step) { handle({JobRunning{.job = id(0)}, JobRunning{.job = id(1)}}, 5); }
    EXPECT_TRUE(scheduler->held(id(0)).same_gpus(mostly_slow));
    EXPECT_TRUE(scheduler->held(id(1)).same_gpus(mostly_fast));
}

TEST_F(SchedulerTest, AResizeChargesOnlyGains) {
    add_job(4);
    start({.costs = {.resize = Seconds{60}}});
    launch_running(0, Allocation::of(kFast, 2), 0);
    add_job(1);
    decide_next({{.job = id(0), .target = Allocation::of(kFast, 4)}});
    auto resizes = only<Resize>(handle({JobSubmitted{id(1)}}, 5));
    ASSERT_EQ(resizes.size(), 1U);
    EXPECT_EQ(resizes[0].overhead, Seconds{60});
    handle({JobRunning{.job = id(0), .work_per_s = 4, .work_done = 60}}, 65);
    add_job(1);
    decide_next({{.job = id(0), .target = Allocation::of(kFast, 1)}});
    resizes = only<Resize>(handle({JobSubmitted{id(2)}}, 70));
    ASSERT_EQ(resizes.size(), 1U);
    EXPECT_EQ(resizes[0].overhead, Seconds{0});
}

TEST_F(SchedulerTest, AResizeDecidedDuringStartUpFollowsIt) {
    add_job(4);
    add_job(1);
    start({.costs = {.startup = Seconds{75}}});
    decide_next({{.job = id(0), .target = Allocation::of(kFast, 4)}});
    handle({JobSubmitted{id(0)}}, 0);
    decide_next({{.job = id(0), .target = Allocation::of(kFast, 2)}});
    EXPECT_TRUE(only<Resize>(handle({JobSubmitted{id(1)}}, 10)).empty());
    EXPECT_EQ(only<Resize>(handle({JobRunning{.job = id(0)}}, 75)).size(), 1U);
}

TEST_F(SchedulerTest, RoundsAskOnlyAtTheirMultiples) {
    add_job(1);
    start({.round = Seconds{360}});
    policy.script = [](const ClusterView&) { return Decision{}; };
    const auto actions = handle({JobSubmitted{id(0)}}, 100);
    EXPECT_EQ(policy.asked, 0);
    ASSERT_EQ(only<WakeAt>(actions).size(), 1U);
    EXPECT_EQ(only<WakeAt>(actions)[0].time, at(360));
    EXPECT_EQ(only<WakeAt>(handle({TimerFired{}}, 360)).at(0).time, at(720));
    EXPECT_EQ(policy.asked, 1);
    handle({JobProgress{.job = id(0)}}, 360);
    EXPECT_EQ(policy.asked, 1) << "once a round";
    handle({TimerFired{}}, 720);
    EXPECT_EQ(policy.asked, 2);
}

TEST_F(SchedulerTest, ALateDecisionTakesEffectAfterThePolicysLatency) {
    add_job(1);
    start({.policy_latency = Seconds{3}});
    decide_next({{.job = id(0), .target = Allocation::of(kFast, 1)}});
    const auto actions = handle({JobSubmitted{id(0)}}, 10);
    EXPECT_TRUE(only<Launch>(actions).empty());
    EXPECT_EQ(only<WakeAt>(actions).at(0).time, at(13));
    EXPECT_EQ(only<Launch>(handle({TimerFired{}}, 13)).size(), 1U);
}

TEST_F(SchedulerTest, LostCapacityStopsWhatWasLaunchedLastAndTellsThePolicy) {
    add_job(2);
    add_job(2);
    start();
    launch_running(0, Allocation::of(kFast, 2), 0);
    launch_running(1, Allocation::of(kFast, 2), 5);
    std::vector<JobId> evicted;
    policy.script = [&](const ClusterView& view) {
        evicted.assign(view.evicted().begin(), view.evicted().end());
        return Decision{};
    };
    const auto stops = only<Stop>(handle({CapacityChanged{.type = kFast, .delta = -1}}, 9));
    ASSERT_EQ(stops.size(), 1U);
    EXPECT_EQ(stops[0].job, id(1));
    EXPECT_EQ(stops[0].reason, StopReason::kCapacityLost);
    EXPECT_EQ(evicted, std::vector<JobId>{id(1)});
    handle({JobStopped{.job = id(1), .work_done = 3, .work_lost = 1}}, 9);
    EXPECT_EQ(log.all<StopRecord>().at(0).reason, StopReason::kCapacityLost);
    EXPECT_EQ(scheduler->view(at(9)).free(kFast), 1);
}

TEST_F(SchedulerTest, AJobThatNoTypeCanHoldIsRejectedWithAReason) {
    add_job(5);
    start();
    handle({JobSubmitted{id(0)}}, 0);
    ASSERT_EQ(log.all<RejectRecord>().size(), 1U);
    EXPECT_EQ(scheduler->unfinished(), 0U);
    EXPECT_EQ(policy.asked, 0);
}

TEST_F(SchedulerTest, TheViewTellsOnlyWhatHappenedSinceTheLastAsking) {
    add_job(1);
    add_job(1);
    start();
    std::vector<std::size_t> arrivals;
    std::vector<std::size_t> departures;
    policy.script = [&](const ClusterView& view) {
        arrivals.push_back(view.arrived().size());
        departures.push_back(view.departed().size());
        Decision decision;
        for (const JobId job : view.arrived()) { decision.changes.push_back({.job = job, .target = Allocation::of(kFast, 1)}); }
        return decision;
    };
    handle({JobSubmitted{id(0)}, JobSubmitted{id(1)}}, 0);
    handle({JobFinished{.job = id(0), .work_done = 100}}, 50);
    EXPECT_EQ(arrivals, (std::vector<std::size_t>{2, 0}));
    EXPECT_EQ(departures, (std::vector<std::size_t>{0, 1}));
}

TEST_F(SchedulerTest, AJobWaitsForWhatItDependsOn) {
    add_job(1);
    add_job(1).extras = std::make_shared<const JobExtras>(JobExtras{.depends_on = {"0"}});
    start();
    std::vector<JobId> seen;
    policy.script = [&](const ClusterView& view) {
        seen.insert(seen.end(), view.arrived().begin(), view.arrived().end());
        return Decision{};
    };
    handle({JobSubmitted{id(0)}, JobSubmitted{id(1)}}, 0);
    EXPECT_EQ(seen, std::vector<JobId>{id(0)});
    EXPECT_EQ(scheduler->unfinished(), 2U);
    handle({JobCancelled{.job = id(0)}}, 7);
    EXPECT_EQ(seen, (std::vector<JobId>{id(0), id(1)}));
}

TEST_F(SchedulerTest, TheLogSaysWhileAJobIsHeldBackByOthers) {
    add_job(1);
    add_job(1).extras = std::make_shared<const JobExtras>(JobExtras{.depends_on = {"0"}});
    start();
    handle({JobSubmitted{id(0)}, JobSubmitted{id(1)}}, 0);
    EXPECT_FALSE(log.all<SubmitRecord>().at(0).held_back);
    EXPECT_TRUE(log.all<SubmitRecord>().at(1).held_back);
    handle({JobFinished{.job = id(0)}}, 7);
    ASSERT_EQ(log.all<ReleaseRecord>().size(), 1U);
    EXPECT_EQ(log.all<ReleaseRecord>()[0].job, id(1));
}

TEST_F(SchedulerTest, WhatDependsOnARejectedJobIsRejectedWhetherItCameBeforeOrAfter) {
    const auto needs = [](const char* other) { return std::make_shared<const JobExtras>(JobExtras{.depends_on = {other}}); };
    add_job(1).extras = needs("1");
    add_job(99);
    add_job(1).extras = needs("1");
    add_job(1).extras = needs("2");
    start();
    handle({JobSubmitted{id(0)}, JobSubmitted{id(1)}}, 0);
    EXPECT_EQ(log.all<RejectRecord>().size(), 2U);
    handle({JobSubmitted{id(2)}, JobSubmitted{id(3)}}, 1);
    EXPECT_EQ(log.all<RejectRecord>().size(), 4U);
    EXPECT_EQ(scheduler->unfinished(), 0U);
    EXPECT_EQ(policy.asked, 0);
}

TEST_F(SchedulerTest, AReasonIsLoggedWhenItChanges) {
    for (int job = 0; job < 3; ++job) { add_job(1); }
    start();
    policy.script = [](const ClusterView& view) {
        return Decision{.reasons = {{.job = id(0), .text = view.present_count() < 3 ? "too early" : "too late"}}};
    };
    handle({JobSubmitted{id(0)}}, 0);
    handle({JobSubmitted{id(1)}}, 1);
    ASSERT_EQ(log.all<ReasonRecord>().size(), 1U) << "said once";
    handle({JobSubmitted{id(2)}}, 2);
    ASSERT_EQ(log.all<ReasonRecord>().size(), 2U);
    EXPECT_EQ(log.all<ReasonRecord>()[1].text, "too late");
}

TEST_F(SchedulerTest, RemainingTimeFollowsTheSpeedAsObserved) {
    add_job(2, 100);
    start();
    launch_running(0, Allocation::of(kSlow, 2), 0);  // reported at one unit a second: a duration-job's units are seconds
    EXPECT_DOUBLE_EQ(scheduler->view(at(40)).remaining(id(0)).value, 60);
    EXPECT_DOUBLE_EQ(scheduler->view(at(40)).work_done(id(0)), 40);
    EXPECT_DOUBLE_EQ(scheduler->view(at(40)).held_gpu_seconds(id(0)), 80);
}

TEST_F(SchedulerTest, TheLogCarriesAloneAndIsolatedRunTimes) {
    add_job(2, 100);
    start({.costs = {.startup = Seconds{10}}});
    handle({JobSubmitted{id(0)}}, 0);
    const SubmitRecord submit = log.all<SubmitRecord>().at(0);
    EXPECT_DOUBLE_EQ(submit.alone.value, 10 + 100 / 4.0);
    EXPECT_DOUBLE_EQ(submit.isolated.value, 10 + 100 / 3.0);  // mean of 4 and 2 units a second over 4 + 4 GPUs
    EXPECT_EQ(submit.nominal_gpus, 2);
}

TEST_F(SchedulerTest, AJobThatIsGoneStaysDoneWhileOthersTakeItsPlaceInTheBooks) {
    for (int job = 0; job < 3; ++job) { add_job(1 + job); }
    start();
    launch_running(0, Allocation::of(kFast, 1), 0);
    handle({JobFinished{.job = id(0), .work_done = 100}}, 10);
    launch_running(1, Allocation::of(kSlow, 2), 20);
    handle({JobSubmitted{id(2)}}, 30);
    EXPECT_EQ(scheduler->phase(id(0)), JobPhase::kDone);
    EXPECT_TRUE(scheduler->held(id(0)).empty());
    EXPECT_EQ(scheduler->held(id(1)).gpus(), 2);
    EXPECT_EQ(scheduler->view(at(30)).job(id(2)).gpus, 3);
    handle({JobFinished{.job = id(0)}, JobCancelled{.job = id(0)}}, 31);
    EXPECT_EQ(log.all<FinishRecord>().size(), 1U) << "late words about a job that is gone change nothing";
}

TEST_F(SchedulerTest, ADecisionBeyondCapacityIsABug) {
    add_job(4);
    add_job(4);
    start();
    launch_running(0, Allocation::of(kFast, 4), 0);
    decide_next({{.job = id(1), .target = Allocation::of(kFast, 4)}});
    EXPECT_DEATH(handle({JobSubmitted{id(1)}}, 1), "broken invariant");
}

}  // namespace
}  // namespace medley
