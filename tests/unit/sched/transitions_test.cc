#include "sched/transitions.h"

#include <gtest/gtest.h>

namespace medley {
namespace {

const GpuTypeId kFastType{std::size_t{0}};
const GpuTypeId kSlowType{std::size_t{1}};

Allocation mixed(int fast, int slow) {
    return Allocation{.grants = {{.type = kFastType, .gpus = fast}, {.type = kSlowType, .gpus = slow}}, .plan = nullptr};
}

JobRecord running(Allocation held, Allocation target) {
    JobRecord job;
    job.held = std::move(held);
    job.target = std::move(target);
    job.phase = JobPhase::kRunning;
    job.launched_before = true;
    return job;
}

TEST(NextStep, AJobWithoutGpusAndWithoutATargetNeedsNothing) { EXPECT_EQ(next_step(JobRecord{}, true), Step::kNone); }

TEST(NextStep, ALaunchWaitsUntilItsGpusAreFree) {
    JobRecord job;
    job.target = Allocation::of(kFastType, 4);
    EXPECT_EQ(next_step(job, true), Step::kLaunch);
    EXPECT_EQ(next_step(job, false), Step::kWait);
}

TEST(NextStep, AMoveToTypesItSharesNothingWithIsAStopFirst) {
    EXPECT_EQ(next_step(running(Allocation::of(kFastType, 4), Allocation::of(kSlowType, 4)), true), Step::kStop);
    EXPECT_EQ(next_step(running(Allocation::of(kFastType, 4), {}), true), Step::kStop);
}

TEST(NextStep, AResizeReleasesBeforeItWaitsForGains) {
    EXPECT_EQ(next_step(running(mixed(4, 2), mixed(2, 4)), true), Step::kResize);
    EXPECT_EQ(next_step(running(mixed(4, 2), mixed(2, 4)), false), Step::kRelease);
    EXPECT_EQ(next_step(running(mixed(2, 2), mixed(2, 4)), false), Step::kWait);
}

TEST(NextStep, AResizeWaitsForTheOneUnderWayButAStopDoesNot) {
    JobRecord job = running(Allocation::of(kFastType, 4), Allocation::of(kFastType, 2));
    job.in_flight = true;
    EXPECT_EQ(next_step(job, true), Step::kWait);
    job.target = {};
    EXPECT_EQ(next_step(job, true), Step::kStop);
}

TEST(NextStep, ANewPlanOnTheSameGpusIsAResizeAndAnEqualPlanIsNothing) {
    const auto plan = [](std::int64_t size) {
        return std::make_shared<const Plan>(Plan{.model = Name("m"), .global_batch = Samples{size}, .groups = {}});
    };
    Allocation held = Allocation::of(kFastType, 2);
    held.plan = plan(64);
    Allocation equal = held;
    equal.plan = plan(64);
    EXPECT_EQ(next_step(running(held, equal), true), Step::kNone);
    Allocation other = held;
    other.plan = plan(32);
    EXPECT_EQ(next_step(running(held, other), true), Step::kResize);
}

TEST(TransitionCost, IsChargedByKind) {
    const TransitionCosts costs{.startup = Seconds{75}, .restart = Seconds{30}, .resize = Seconds{60}, .checkpoint = Seconds{5}};
    JobRecord fresh;
    EXPECT_EQ(transition_cost(fresh, Allocation::of(kFastType, 1), costs), Seconds{75});
    fresh.launched_before = true;
    EXPECT_EQ(transition_cost(fresh, Allocation::of(kFastType, 1), costs), Seconds{30});
    const JobRecord job = running(Allocation::of(kFastType, 4), Allocation::of(kFastType, 4));
    EXPECT_EQ(transition_cost(job, Allocation::of(kFastType, 8), costs), Seconds{60});
    EXPECT_EQ(transition_cost(job, Allocation::of(kFastType, 2), costs), Seconds{0});
    EXPECT_EQ(transition_cost(job, Allocation::of(kSlowType, 4), costs), Seconds{35});
    EXPECT_EQ(transition_cost(job, {}, costs), Seconds{5});
}

TEST(CommonPart, KeepsTheSmallerCountOfEachSharedType) {
    const Allocation kept = common_part(mixed(4, 2), Allocation::of(kSlowType, 8));
    EXPECT_EQ(kept.grants, (Grants{{.type = kSlowType, .gpus = 2}}));
}

}  // namespace
}  // namespace medley
