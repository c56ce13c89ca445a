// Coordinators that go on where an earlier one died.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/coordinator/driven.h"

namespace medley::executor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Driven trained() {
    Driven run(options_for(two_places()));
    run.train();
    run.stepped(1, 1, 1);
    return run;
}

TEST(CoordinatorRestart, IfAllMembersTrainNothingIsInterrupted) {
    Driven run = trained().restarted();
    EXPECT_EQ(run.term(), 2U);
    EXPECT_EQ(run.status().phase, "recovering");
    run.connect(1, WorkerState::kTraining, 1, 5, 1);
    run.connect(2, WorkerState::kTraining, 1, 5, 1);
    EXPECT_EQ(run.status().phase, "training");
    run.pass(10000, {1, 2});
    EXPECT_THAT(run.logged<GenerationRecord>(), SizeIs(1));
    EXPECT_THAT(run.logged<LostRecord>(), IsEmpty());
    EXPECT_THAT(run.launched(), IsEmpty());
    EXPECT_EQ(run.told<Welcome>(1).at(0).term, 2U);
}

TEST(CoordinatorRestart, WhoeverIsNotBackInTimeIsLost) {
    Driven run = trained().restarted();
    run.connect(1, WorkerState::kTraining, 1, 5, 1);
    run.pass(3100, {1});
    EXPECT_TRUE(run.killed(2));
    EXPECT_THAT(run.told<Abort>(1), SizeIs(1));
    run.stopped(1, 1, 5, StopCause::kBroken);
    EXPECT_THAT(run.generation().members, ElementsAre(1));
    EXPECT_EQ(run.generation().step, 5);
}

TEST(CoordinatorRestart, WithNobodyLeftItStartsFromTheCheckpointWithNewWorkers) {
    Driven run = trained().restarted(CheckpointFound{.step = 1, .file = "step-1.ckpt"});
    run.pass(3100);
    ASSERT_THAT(run.launched(), SizeIs(2));
    EXPECT_EQ(run.launched()[0].worker, 3U);
    run.ready(3);
    run.ready(4);
    EXPECT_EQ(run.generation().generation, 2U);
    EXPECT_EQ(run.generation().checkpoint, "step-1.ckpt");
    EXPECT_FALSE(run.generation().from_start);
}

TEST(CoordinatorRestart, WithoutACheckpointItStartsFromTheSeed) {
    Driven run = trained().restarted();
    run.pass(3100);
    run.ready(3);
    run.ready(4);
    EXPECT_TRUE(run.generation().from_start);
}

TEST(CoordinatorRestart, AGenerationThatWasFormingGoesOnForming) {
    Driven first(options_for(two_places()));
    first.ready(1);
    first.ready(2);
    Driven run = first.restarted(std::nullopt, true);
    run.connect(1, WorkerState::kTraining, 1, kNoState, 1);
    run.connect(2, WorkerState::kFresh, 0, kNoState, 1);
    EXPECT_THAT(run.told<Form>(1), IsEmpty());
    ASSERT_THAT(run.told<Form>(2), SizeIs(1));
    EXPECT_EQ(run.told<Form>(2)[0].generation, 1U);
    EXPECT_EQ(run.told<Form>(2)[0].term, 2U);
    EXPECT_TRUE(run.told<Form>(2)[0].from_start);
    run.says(1, Offer{.generation = 1, .round = 0, .blob = "one"});
    run.says(2, Offer{.generation = 1, .round = 0, .blob = "two"});
    EXPECT_THAT(run.told<Offers>(1), SizeIs(1));
    run.joined({1, 2}, 1);
    EXPECT_EQ(run.status().phase, "training");
}

TEST(CoordinatorRestart, ALaunchThatWasLoggedButNeverMadeIsMadeAnew) {
    Driven first(options_for(two_places()));
    Driven run = first.restarted();
    run.pass(3100);
    ASSERT_THAT(run.launched(), SizeIs(2));
    EXPECT_EQ(run.launched()[0].worker, 3U) << "its number is not used again";
}

TEST(CoordinatorRestart, MembersThatStoppedMeanwhileGoIntoANewGeneration) {
    Driven run = trained().restarted();
    run.connect(1, WorkerState::kStopped, 1, 7, 1);
    run.says(1, Stopped{.generation = 1, .step = 7, .cause = StopCause::kBroken});
    run.connect(2, WorkerState::kStopped, 1, 6, 1);
    EXPECT_THAT(run.logged<GenerationRecord>(), SizeIs(1)) << "the second has not said yet what it holds";
    run.says(2, Stopped{.generation = 1, .step = 6, .cause = StopCause::kBroken});
    EXPECT_EQ(run.generation().generation, 2U);
    EXPECT_EQ(run.generation().step, 7);
    EXPECT_EQ(run.generation().source, 0U);
}

TEST(CoordinatorRestart, AFinishThatNobodyLoggedIsLearntFromTheWorkers) {
    Driven run = trained().restarted();
    for (const WorkerNumber worker : {1U, 2U}) {
        run.connect(worker, WorkerState::kFinished, 1, 10, 1);
        run.stopped(worker, 1, 10, StopCause::kFinished);
    }
    EXPECT_THAT(run.logged<FinishedRecord>(), SizeIs(1));
}

TEST(CoordinatorRestart, AfterALoggedFinishTheWorkersAreOnlySeenOff) {
    Driven first = trained();
    first.stopped(1, 1, 10, StopCause::kFinished);
    first.stopped(2, 1, 10, StopCause::kFinished);
    Driven run = first.restarted();
    run.connect(1, WorkerState::kFinished, 1, 10, 1);
    EXPECT_THAT(run.told<Shutdown>(1), SizeIs(1));
    run.exits(1);
    run.pass(3100);
    EXPECT_TRUE(run.killed(2));
    ASSERT_TRUE(run.ended());
    EXPECT_TRUE(run.ended()->succeeded);
}

TEST(CoordinatorRestart, AResizeThatWasAcceptedIsNotForgotten) {
    Driven first = trained();
    first.asked(ResizeRequest{{{place("a", {0, 1, 2, 3})}}});
    Driven run = first.restarted(std::nullopt, true);
    run.connect(1, WorkerState::kTraining, 1, 1, 1);
    run.connect(2, WorkerState::kTraining, 1, 1, 1);
    EXPECT_THAT(run.told<Pause>(1), SizeIs(1));
}

TEST(CoordinatorRestart, ALostWorkerStaysLost) {
    Driven first = trained();
    first.exits(2);
    Driven run = first.restarted();
    run.connect(2, WorkerState::kTraining, 1, 5, 1);
    EXPECT_THAT(run.told<Shutdown>(2), SizeIs(1));
    EXPECT_THAT(run.told<Welcome>(2), IsEmpty());
}

TEST(CoordinatorRestart, ARunStoppedByItsUserGoesOnWhenResumed) {
    Driven first = trained();
    first.asked(StopRequest{"enough"});
    first.stopped(1, 1, 4, StopCause::kPaused);
    first.stopped(2, 1, 4, StopCause::kPaused);
    first.says(1, Checkpointed{.step = 4, .file = "step-4.ckpt"});
    first.exits(1);
    first.exits(2);
    ASSERT_TRUE(first.ended());
    Driven run = first.restarted(CheckpointFound{.step = 4, .file = "step-4.ckpt"});
    EXPECT_THAT(run.launched(), SizeIs(2)) << "at once: everybody had ended";
}

TEST(CoordinatorRestart, ACoordinatorOfALowerTermEndsAndTouchesNothing) {
    Driven run = trained();
    run.forget_sent();
    run.connect(1, WorkerState::kTraining, 1, 5, 2);
    ASSERT_TRUE(run.ended());
    EXPECT_FALSE(run.ended()->succeeded);
    EXPECT_THAT(run.ended()->reason, HasSubstr("later term"));
    EXPECT_THAT(run.told<Shutdown>(1), IsEmpty());
    EXPECT_FALSE(run.killed(2));
    run.connect(2, WorkerState::kTraining, 1, 5, 2);
    EXPECT_THAT(run.told<Welcome>(2), IsEmpty());
}

TEST(CoordinatorRestart, AWorkerInAGenerationOfItsOwnIsCalledBack) {
    Driven first = trained();
    first.stopped(1, 1, 1, StopCause::kPaused);
    first.stopped(2, 1, 1, StopCause::kPaused);
    Driven run = first.restarted();
    run.connect(1, WorkerState::kTraining, 9, 1, 1);
    EXPECT_THAT(run.told<Abort>(1), SizeIs(1));
    EXPECT_EQ(run.told<Abort>(1)[0].generation, 9U);
}

}  // namespace
}  // namespace medley::executor
