#include <gtest/gtest.h>

#include "toy_run.h"

namespace medley::test {
namespace {

Job with_priority(Job job, double priority) {
    job.priority = priority;
    return job;
}

Job only_on(Job job, const std::string& type) {
    auto extras = std::make_shared<JobExtras>();
    extras->gpu_types = {Name(type)};
    job.extras = extras;
    return job;
}

TEST(Fifo, TheFirstWithoutRoomBlocksTheRest) {
    // 4 GPUs: a takes 3 for 10 s; b wants 2 and waits; c wants 1, which is free, but stands behind b.
    const ToyRun toy = run_toy("fifo", {4}, {toy_job("a", 0, 3, 10), toy_job("b", 1, 2, 10), toy_job("c", 2, 1, 10)});
    EXPECT_EQ(toy.starts, (Times{0, 10, 10}));
}

TEST(Fifo, TakesTheFirstTypeOfTheClusterFileWithRoom) {
    const ToyRun toy = run_toy("fifo", {2, 4}, {toy_job("a", 0, 2, 10), toy_job("b", 0, 2, 10), toy_job("c", 0, 3, 10)});
    EXPECT_EQ(toy.starts, (Times{0, 0, 10}));
    EXPECT_EQ(toy.run.summary.gpu_hours[0].second * 3600, 20);
    EXPECT_EQ(toy.run.summary.gpu_hours[1].second * 3600, 50);
}

TEST(Fifo, KeepsToTheTypesAJobIsAllowedOn) {
    const ToyRun toy = run_toy("fifo", {4, 4}, {only_on(toy_job("a", 0, 4, 10), "t1"), only_on(toy_job("b", 0, 4, 10), "t1")});
    EXPECT_EQ(toy.starts, (Times{0, 10}));
}

TEST(Fifo, AJobThatLosesItsGpusGoesBackToItsPlace) {
    simulator::SimulationOptions options;
    options.availability = {{.time = at(5), .type = type_id(0), .delta = -2}, {.time = at(8), .type = type_id(0), .delta = 2}};
    const ToyRun toy = run_toy("fifo", {2}, {toy_job("a", 0, 2, 10), toy_job("b", 1, 2, 10)}, options);
    EXPECT_EQ(toy.finishes[0], 13);  // no work was lost: 5 s before, 5 s after
    EXPECT_EQ(toy.starts[1], 13);
}

TEST(Fifo, ADecisionThatCameTooLateIsMadeAgain) {
    simulator::SimulationOptions options;
    options.scheduler.policy_latency = Seconds{2};
    options.availability = {{.time = at(1), .type = type_id(0), .delta = -2}, {.time = at(20), .type = type_id(0), .delta = 2}};
    const ToyRun toy = run_toy("fifo", {2}, {toy_job("a", 0, 2, 10), toy_job("b", 0, 1, 10)}, options);
    EXPECT_EQ(toy.starts, (Times{22, 34}));
}

TEST(Sjf, TheShortestGoesFirstAndBlocks) {
    const std::vector<Job> jobs{toy_job("a", 0, 2, 10), toy_job("b", 1, 1, 30), toy_job("c", 2, 2, 20), toy_job("d", 3, 1, 40)};
    // At 10 s: c (20 s, 2 GPUs) is the shortest; b and d follow at 30.
    EXPECT_EQ(run_toy("sjf", {2}, jobs).starts, (Times{0, 30, 10, 30}));
}

TEST(Sjf, WithBackfillLongerJobsPassOneWithoutRoom) {
    const std::vector<Job> jobs{toy_job("a", 0, 2, 10), toy_job("b", 1, 3, 5), toy_job("c", 2, 1, 20)};
    EXPECT_EQ(run_toy("sjf", {3}, jobs).starts, (Times{0, 10, 15}));
    EXPECT_EQ(run_toy("sjf:backfill=true", {3}, jobs).starts, (Times{0, 22, 2}));
}

TEST(Srtf, AShorterJobTakesTheGpusOfTheLongestRunningOne) {
    // a has 90 s left when b (20 s) comes; a waits for b and ends at 120.
    const ToyRun toy = run_toy("srtf", {1}, {toy_job("a", 0, 1, 100), toy_job("b", 10, 1, 20)});
    EXPECT_EQ(toy.starts, (Times{0, 10}));
    EXPECT_EQ(toy.finishes, (Times{120, 30}));
    EXPECT_EQ(toy.run.summary.preemptions, 1U);
}

TEST(Srtf, NobodyIsStoppedForAnEqualOrLongerJob) {
    const ToyRun toy = run_toy("srtf", {1}, {toy_job("a", 0, 1, 100), toy_job("b", 0, 1, 100), toy_job("c", 10, 1, 90)});
    EXPECT_EQ(toy.run.summary.preemptions, 0U);
    EXPECT_EQ(toy.starts, (Times{0, 190, 100}));
}

TEST(Srtf, EqualJobsDoNotTakeTurnsWhileTheyStartUp) {
    simulator::SimulationOptions options;
    options.scheduler.costs = {.startup = Seconds{30}, .restart = Seconds{30}};
    const ToyRun toy = run_toy("srtf", {1}, {toy_job("a", 0, 1, 100), toy_job("b", 1, 1, 100), toy_job("c", 2, 1, 100)}, options);
    EXPECT_EQ(toy.run.summary.preemptions, 0U);
}

TEST(Srtf, StopsNobodyIfThatWouldNotMakeEnoughRoom) {
    // c (10 s, 2 GPUs) could only take a's GPU; b has less left than c.
    const ToyRun toy = run_toy("srtf", {2}, {toy_job("a", 0, 1, 100), toy_job("b", 0, 1, 8), toy_job("c", 1, 2, 10)});
    EXPECT_EQ(toy.starts[2], 8);
    EXPECT_EQ(toy.run.summary.preemptions, 1U);
}

TEST(Srtf, AStoppedGangLeavesRoomForOthersInTheSameDecision) {
    // c needs 1 of a's 3 GPUs; b (2 GPUs, longer than a) gets the other two.
    const ToyRun toy = run_toy("srtf", {3}, {toy_job("a", 0, 3, 50), toy_job("b", 1, 2, 60), toy_job("c", 2, 1, 10)});
    EXPECT_EQ(toy.starts, (Times{0, 2, 2}));
}

TEST(Srtf, AJobThatFitsNowhereIsPassedOver) {
    const ToyRun toy = run_toy("srtf", {2}, {toy_job("a", 0, 1, 5), toy_job("b", 1, 2, 10), toy_job("c", 1, 1, 20)});
    EXPECT_EQ(toy.starts, (Times{0, 5, 1}));
    EXPECT_EQ(toy.run.summary.preemptions, 1U);
}

TEST(Srtf, WorksOnTwoTypes) {
    const ToyRun toy = run_toy("srtf", {1, 1}, {toy_job("a", 0, 1, 50), toy_job("b", 0, 1, 60), toy_job("c", 10, 1, 5)});
    EXPECT_EQ(toy.finishes, (Times{55, 60, 15}));  // the first type on which somebody longer runs is a's
}

TEST(Priority, HigherGoesFirstAndTheFirstWithoutRoomBlocks) {
    const std::vector<Job> jobs{toy_job("a", 0, 3, 10), with_priority(toy_job("b", 1, 1, 10), 1), with_priority(toy_job("c", 2, 4, 10), 5),
                                with_priority(toy_job("d", 3, 1, 10), 5)};
    EXPECT_EQ(run_toy("priority", {4}, jobs).starts, (Times{0, 1, 11, 21}));
}

TEST(Priority, NegativeAndFractionalPrioritiesAreOrderedToo) {
    const std::vector<Job> jobs{toy_job("a", 0, 1, 10), with_priority(toy_job("b", 1, 1, 10), -2), with_priority(toy_job("c", 1, 1, 10), 0),
                                with_priority(toy_job("d", 1, 1, 10), 0.5), with_priority(toy_job("e", 1, 1, 10), -0.0)};
    EXPECT_EQ(run_toy("priority", {1}, jobs).starts, (Times{0, 40, 20, 10, 30}));
}

TEST(Priority, StopsLowerOnesOnlyIfAskedTo) {
    const std::vector<Job> jobs{with_priority(toy_job("a", 0, 1, 100), 1), with_priority(toy_job("b", 0, 1, 100), 2),
                                with_priority(toy_job("c", 10, 1, 10), 2)};
    EXPECT_EQ(run_toy("priority", {2}, jobs).starts, (Times{0, 0, 100}));
    const ToyRun preempting = run_toy("priority:preempt=true", {2}, jobs);
    EXPECT_EQ(preempting.starts, (Times{0, 0, 10}));
    EXPECT_EQ(preempting.finishes, (Times{110, 100, 20}));
}

}  // namespace
}  // namespace medley::test
