// Workers that die, hang, return, or cannot be started.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/coordinator/driven.h"

namespace medley::executor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(CoordinatorFaults, SurvivorsTakeOverAtOnceFromTheStepTheyHold) {
    Driven run(options_for(two_places()));
    run.train();
    run.stepped(1, 1, 1);
    run.exits(2);
    EXPECT_THAT(run.told<Abort>(1), SizeIs(1));
    EXPECT_THAT(run.logged<GenerationRecord>(), SizeIs(1)) << "not before the survivor has stopped";
    run.stopped(1, 1, 1, StopCause::kBroken);
    const GenerationRecord generation = run.generation();
    EXPECT_EQ(generation.generation, 2U);
    EXPECT_THAT(generation.members, ElementsAre(1));
    EXPECT_EQ(generation.step, 1);
    EXPECT_EQ(generation.source, 0U);
    EXPECT_FALSE(generation.from_start);
    EXPECT_THAT(generation.placement.places[0].virtual_nodes, ElementsAre(0, 1, 2, 3));
    EXPECT_EQ(run.logged<RestRecord>().back().step, 1);
}

TEST(CoordinatorFaults, ALostPlaceIsFilledAgainInTheBackgroundAndGrowsBack) {
    Driven run(options_for(two_places()));
    run.train();
    run.exits(2);
    run.stopped(1, 1, 0, StopCause::kBroken);
    run.joined({1}, 2);
    EXPECT_THAT(run.launched(), SizeIs(2));
    run.pass(1100, {1});
    ASSERT_THAT(run.launched(), SizeIs(3));
    EXPECT_EQ(run.launched()[2].worker, 3U);
    EXPECT_EQ(run.launched()[2].place.gpu_type, "b");
    run.ready(3);
    EXPECT_THAT(run.told<Pause>(1), SizeIs(1));
    run.stopped(1, 2, 4, StopCause::kPaused);
    EXPECT_THAT(run.generation().members, ElementsAre(1, 3));
    EXPECT_EQ(run.generation().step, 4);
    EXPECT_EQ(run.generation().source, 0U);
    EXPECT_THAT(run.generation().placement.places[1].virtual_nodes, ElementsAre(2, 3));
}

TEST(CoordinatorFaults, TheMostAdvancedMemberIsTheSource) {
    Driven run(options_for({{place("a", {0}), place("a", {1}), place("a", {2, 3})}}));
    for (const WorkerNumber worker : {1U, 2U, 3U}) { run.ready(worker); }
    run.joined({1, 2, 3}, 1);
    run.exits(1);
    run.stopped(2, 1, 5, StopCause::kBroken);
    run.stopped(3, 1, 6, StopCause::kBroken);
    EXPECT_THAT(run.generation().members, ElementsAre(2, 3));
    EXPECT_EQ(run.generation().step, 6);
    EXPECT_EQ(run.generation().source, 1U);
}

TEST(CoordinatorFaults, AMemberWithoutConsistentStateIsNoSource) {
    Driven run(options_for(two_places()));
    run.train();
    run.stopped(1, 1, kNoState, StopCause::kBroken);
    run.stopped(2, 1, 3, StopCause::kBroken);
    EXPECT_EQ(run.generation().step, 3);
    EXPECT_EQ(run.generation().source, 1U);
}

TEST(CoordinatorFaults, SilenceIsLoss) {
    Driven run(options_for(two_places()));
    run.train();
    run.pass(5200, {1});
    EXPECT_TRUE(run.killed(2));
    EXPECT_THAT(run.logged<LostRecord>().back().reason, HasSubstr("silent"));
    EXPECT_THAT(run.told<Abort>(1), SizeIs(1));
}

TEST(CoordinatorFaults, ACoordinatorThatWasAsleepBlamesNobody) {
    Driven run(options_for(two_places()));
    run.train();
    run.sleep(60000);
    run.give(TimePassed{});
    EXPECT_THAT(run.logged<LostRecord>(), IsEmpty());
    run.pass(5200, {1});
    EXPECT_THAT(run.logged<LostRecord>(), SizeIs(1));
}

TEST(CoordinatorFaults, AConnectionMayComeBackWithinItsTime) {
    Driven run(options_for(two_places()));
    run.train();
    run.give(WorkerDisconnected{2});
    run.pass(200, {1});
    run.connect(2, WorkerState::kTraining, 1, 0, 1);
    run.pass(1000, {1, 2});
    EXPECT_THAT(run.logged<LostRecord>(), IsEmpty());
    EXPECT_EQ(run.status().phase, "training");
}

TEST(CoordinatorFaults, AConnectionThatStaysAwayIsLoss) {
    Driven run(options_for(two_places()));
    run.train();
    run.give(WorkerDisconnected{2});
    run.pass(400, {1});
    EXPECT_THAT(run.logged<LostRecord>(), SizeIs(1));
    EXPECT_TRUE(run.killed(2));
}

TEST(CoordinatorFaults, ALostWorkerThatReturnsIsToldToEnd) {
    Driven run(options_for(two_places()));
    run.train();
    run.exits(2);
    run.connect(2, WorkerState::kTraining, 1, 0, 1);
    EXPECT_THAT(run.told<Shutdown>(2), SizeIs(1));
    run.says(2, Stepped{.generation = 1, .step = 9});
    EXPECT_THAT(run.told<Shutdown>(2), SizeIs(2));
    EXPECT_EQ(run.status().step, 0);
}

TEST(CoordinatorFaults, WhoeverDoesNotStopInTimeIsLost) {
    Driven run(options_for(two_places()));
    run.train();
    run.stopped(1, 1, 0, StopCause::kBroken);
    run.pass(5200, {1, 2});
    EXPECT_TRUE(run.killed(2));
    EXPECT_THAT(run.generation().members, ElementsAre(1));
}

TEST(CoordinatorFaults, AFormWhoseConnectionBrokeIsSentAgain) {
    Driven run(options_for(two_places()));
    run.ready(1);
    run.ready(2);
    run.give(WorkerDisconnected{2});
    run.connect(2);
    ASSERT_THAT(run.told<Form>(2), SizeIs(2));
    EXPECT_EQ(run.told<Form>(2)[1].generation, 1U);
    EXPECT_TRUE(run.told<Form>(2)[1].from_start);
}

TEST(CoordinatorFaults, AMemberThatNeverHeardOfABrokenGenerationCountsAsStopped) {
    Driven run(options_for(two_places()));
    run.ready(1);
    run.ready(2);
    run.give(WorkerDisconnected{2});
    run.stopped(1, 1, kNoState, StopCause::kBroken);
    EXPECT_EQ(run.status().phase, "aborting");
    run.connect(2);
    EXPECT_EQ(run.generation().generation, 2U);
    EXPECT_THAT(run.generation().members, ElementsAre(1, 2));
}

TEST(CoordinatorFaults, WhoeverKeepsTheOthersWaitingWhileFormingIsLost) {
    Driven run(options_for(two_places()));
    run.ready(1);
    run.ready(2);
    run.says(1, Offer{.generation = 1, .round = 0, .blob = "one"});
    run.pass(20200, {1, 2});
    EXPECT_TRUE(run.killed(2));
    EXPECT_FALSE(run.killed(1));
    EXPECT_THAT(run.told<Abort>(1), SizeIs(1));
}

TEST(CoordinatorFaults, AWorkerThatIsNotReadyInTimeIsGivenUp) {
    Driven run(options_for(two_places()));
    run.ready(1);
    run.pass(120200, {1});
    EXPECT_TRUE(run.killed(2));
    EXPECT_THAT(run.generation().members, ElementsAre(1)) << "the others go on without it";
}

TEST(CoordinatorFaults, AWorkerThatNeverConnectsIsGivenUpSooner) {
    Driven run(options_for({{place("a", {0}), place("b", {1}), place("c", {2, 3})}}));
    run.ready(1);
    run.connect(2);
    run.pass(30200, {1, 2});
    EXPECT_TRUE(run.killed(3));
    EXPECT_THAT(run.logged<LostRecord>().back().reason, HasSubstr("did not connect"));
    EXPECT_FALSE(run.killed(2)) << "it is building its engine";
}

TEST(CoordinatorFaults, AWorkersOwnFailureIsTold) {
    Driven run(options_for(two_places()));
    run.train();
    run.says(2, Failed{"out of memory"});
    EXPECT_EQ(run.logged<LostRecord>().back().reason, "out of memory");
}

TEST(CoordinatorFaults, APlaceThatFailsAgainAndAgainIsGivenUpAndWithoutAnyTheRunFails) {
    Driven run(options_for({{place("a", {0, 1, 2, 3})}}));
    for (WorkerNumber worker = 1; worker <= 4; ++worker) {
        ASSERT_EQ(run.launched().size(), worker);
        run.exits(worker);
        run.pass(10000);
    }
    EXPECT_THAT(run.launched(), SizeIs(4));
    ASSERT_TRUE(run.ended());
    EXPECT_FALSE(run.ended()->succeeded);
    EXPECT_THAT(run.ended()->reason, HasSubstr("no device"));
}

TEST(CoordinatorFaults, AStepDoneClearsAPlacesRecord) {
    Driven run(options_for({{place("a", {0, 1, 2, 3})}}));
    for (WorkerNumber worker = 1; worker <= 8; ++worker) {
        run.ready(worker);
        run.joined({worker}, worker, 0);
        run.stepped(worker, worker, 1);
        run.exits(worker);
        run.pass(1100);
    }
    EXPECT_THAT(run.launched(), SizeIs(9));
    EXPECT_FALSE(run.ended());
}

TEST(CoordinatorFaults, AStepThatOneMemberTellsOfClearsTheOthersRecordsToo) {
    Driven run(options_for(two_places()));
    run.ready(1);
    run.ready(2);
    for (Generation generation = 1; generation <= 8; ++generation) {
        const WorkerNumber second = run.generation().members.back();
        ASSERT_NE(second, 1U);
        run.joined({1, second}, run.generation().generation, run.generation().step);
        run.stepped(1, run.generation().generation, run.generation().step + 1);
        run.exits(second);
        run.stopped(1, run.generation().generation, run.generation().step + 1, StopCause::kBroken);
        run.joined({1}, run.generation().generation, run.generation().step);
        run.pass(1100, {1});
        run.ready(second + 1);
        run.stopped(1, run.generation().generation, run.generation().step, StopCause::kPaused);
    }
    EXPECT_THAT(run.launched(), SizeIs(10));
}

TEST(CoordinatorFaults, WithNoWorkerLeftTheNewestCheckpointIsTheStart) {
    Driven run(options_for({{place("a", {0, 1, 2, 3})}}));
    run.ready(1);
    run.joined({1}, 1);
    run.stepped(1, 1, 5);
    run.says(1, Checkpointed{.step = 4, .file = "step-4.ckpt"});
    run.says(1, Checkpointed{.step = 5, .error = "disk full"});
    run.exits(1);
    run.pass(1100);
    run.ready(2);
    EXPECT_EQ(run.generation().checkpoint, "step-4.ckpt");
    EXPECT_EQ(run.generation().step, 4);
    EXPECT_EQ(run.logged<RestRecord>().back().step, 5) << "so the report can say that step 5 is done again";
}

TEST(CoordinatorFaults, GenerationsThatBreakWithoutAReasonEndTheRun) {
    Driven run(options_for(two_places()));
    run.ready(1);
    run.ready(2);
    for (Generation generation = 1; generation <= 5; ++generation) {
        ASSERT_EQ(run.generation().generation, generation);
        run.stopped(1, generation, kNoState, StopCause::kBroken);
        run.stopped(2, generation, kNoState, StopCause::kBroken);
    }
    EXPECT_EQ(run.generation().generation, 5U);
    EXPECT_EQ(run.status().phase, "ending");
    EXPECT_THAT(run.told<Shutdown>(1), SizeIs(1));
    run.exits(1);
    run.exits(2);
    ASSERT_TRUE(run.ended());
    EXPECT_FALSE(run.ended()->succeeded);
}

TEST(CoordinatorFaults, AnUnaskedPauseIsFollowedByTheNextGeneration) {
    Driven run(options_for(two_places()));
    run.train();
    run.stopped(1, 1, 2, StopCause::kPaused);
    run.stopped(2, 1, 2, StopCause::kPaused);
    EXPECT_EQ(run.generation().generation, 2U);
    EXPECT_EQ(run.generation().step, 2);
}

}  // namespace
}  // namespace medley::executor
