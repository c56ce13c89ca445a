// How runs end.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/coordinator/driven.h"

namespace medley::executor {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(CoordinatorEndings, AFinishIsLoggedBeforeAnyoneIsToldToEnd) {
    Driven run(options_for(two_places()));
    run.train();
    run.stopped(1, 1, 10, StopCause::kFinished);
    EXPECT_THAT(run.logged<FinishedRecord>(), IsEmpty());
    run.stopped(2, 1, 10, StopCause::kFinished);
    ASSERT_THAT(run.logged<FinishedRecord>(), SizeIs(1));
    EXPECT_EQ(run.logged<FinishedRecord>()[0].digest, "d");
    EXPECT_THAT(run.told<Shutdown>(1), SizeIs(1));
    EXPECT_FALSE(run.told<Shutdown>(1)[0].checkpoint);
    EXPECT_FALSE(run.ended());
    run.exits(1);
    run.exits(2);
    ASSERT_TRUE(run.ended());
    EXPECT_TRUE(run.ended()->succeeded);
    EXPECT_EQ(run.ended()->reason, "finished");
}

TEST(CoordinatorEndings, WhoeverDoesNotEndIsKilled) {
    Driven run(options_for(two_places()));
    run.train();
    run.stopped(1, 1, 10, StopCause::kFinished);
    run.stopped(2, 1, 10, StopCause::kFinished);
    run.give(WorkerDisconnected{1});
    run.pass(5100, {2});
    EXPECT_TRUE(run.killed(1));
    EXPECT_TRUE(run.killed(2));
    EXPECT_TRUE(run.ended());
}

TEST(CoordinatorEndings, FinishedBySomeAndBrokenAtOthersIsFinished) {
    Driven run(options_for(two_places()));
    run.train();
    run.stopped(1, 1, 10, StopCause::kFinished);
    run.stopped(2, 1, 9, StopCause::kBroken);
    EXPECT_EQ(run.logged<FinishedRecord>().at(0).step, 10);
}

TEST(CoordinatorEndings, IfTheFirstRankIsLostAnotherOneWritesTheFinalCheckpoint) {
    Driven run(options_for(two_places()));
    run.train();
    run.exits(1);
    run.stopped(2, 1, 10, StopCause::kFinished);
    EXPECT_THAT(run.logged<FinishedRecord>(), IsEmpty());
    ASSERT_THAT(run.told<Shutdown>(2), SizeIs(1));
    EXPECT_TRUE(run.told<Shutdown>(2)[0].checkpoint);
    run.says(2, Checkpointed{.step = 10, .file = "step-10.ckpt"});
    EXPECT_THAT(run.logged<FinishedRecord>(), SizeIs(1));
    EXPECT_FALSE(run.told<Shutdown>(2).back().checkpoint);
}

TEST(CoordinatorEndings, IfTheOnlyOneThatFinishedDiesTheOthersDoTheStepAgain) {
    Driven run(options_for(two_places()));
    run.train();
    run.stopped(2, 1, 10, StopCause::kFinished);
    run.stopped(1, 1, 9, StopCause::kBroken);
    run.exits(2);
    EXPECT_EQ(run.generation().generation, 2U);
    EXPECT_EQ(run.generation().step, 9);
}

TEST(CoordinatorEndings, InferenceNeedsNoFinalCheckpoint) {
    CoordinatorOptions options = options_for(two_places());
    options.setup.mode = Mode::kInference;
    Driven run(options);
    run.train();
    run.exits(1);
    run.stopped(2, 1, 10, StopCause::kFinished);
    EXPECT_THAT(run.logged<FinishedRecord>(), SizeIs(1));
}

TEST(CoordinatorEndings, AStopPausesSavesOnceAndEndsAll) {
    Driven run(options_for(two_places()));
    run.train();
    EXPECT_TRUE(run.asked(StopRequest{"enough"}).accepted);
    EXPECT_THAT(run.told<Pause>(2), SizeIs(1));
    run.stopped(1, 1, 4, StopCause::kPaused);
    run.stopped(2, 1, 4, StopCause::kPaused);
    ASSERT_THAT(run.told<Shutdown>(1), SizeIs(1));
    EXPECT_TRUE(run.told<Shutdown>(1)[0].checkpoint);
    EXPECT_THAT(run.told<Shutdown>(2), IsEmpty());
    run.says(1, Checkpointed{.step = 4, .file = "step-4.ckpt"});
    EXPECT_EQ(run.logged<StoppedByUserRecord>().at(0).step, 4);
    EXPECT_FALSE(run.told<Shutdown>(1).back().checkpoint);
    EXPECT_THAT(run.told<Shutdown>(2), SizeIs(1));
    run.exits(1);
    run.exits(2);
    EXPECT_TRUE(run.ended()->succeeded);
    EXPECT_EQ(run.ended()->reason, "enough");
}

TEST(CoordinatorEndings, AStopWhoseSaverDiesAsksTheNextOne) {
    Driven run(options_for(two_places()));
    run.train();
    run.asked(StopRequest{"enough"});
    run.stopped(1, 1, 4, StopCause::kPaused);
    run.stopped(2, 1, 4, StopCause::kPaused);
    run.exits(1);
    ASSERT_THAT(run.told<Shutdown>(2), SizeIs(1));
    EXPECT_TRUE(run.told<Shutdown>(2)[0].checkpoint);
}

TEST(CoordinatorEndings, AFullDiskDoesNotKeepARunFromStopping) {
    Driven run(options_for(two_places()));
    run.train();
    run.asked(StopRequest{"enough"});
    run.stopped(1, 1, 4, StopCause::kPaused);
    run.stopped(2, 1, 4, StopCause::kPaused);
    run.says(1, Checkpointed{.step = 4, .error = "disk full"});
    EXPECT_THAT(run.logged<StoppedByUserRecord>().at(0).reason, HasSubstr("disk full"));
}

TEST(CoordinatorEndings, ACheckpointThatNeverComesIsNotWaitedForForever) {
    Driven run(options_for(two_places()));
    run.train();
    run.asked(StopRequest{"enough"});
    run.stopped(1, 1, 4, StopCause::kPaused);
    run.stopped(2, 1, 4, StopCause::kPaused);
    run.pass(60100, {1, 2});
    EXPECT_THAT(run.logged<StoppedByUserRecord>(), SizeIs(1));
}

TEST(CoordinatorEndings, AStopBeforeTheFirstStepNeedsNoCheckpoint) {
    Driven run(options_for(two_places()));
    run.ready(1);
    run.asked(StopRequest{});
    EXPECT_THAT(run.told<Shutdown>(1), SizeIs(1));
    EXPECT_TRUE(run.killed(2)) << "it has not even connected";
    run.exits(1);
    EXPECT_TRUE(run.ended()->succeeded);
}

TEST(CoordinatorEndings, AStopWhileFormingBreaksOff) {
    Driven run(options_for(two_places()));
    run.ready(1);
    run.ready(2);
    run.asked(StopRequest{"enough"});
    EXPECT_THAT(run.told<Abort>(1), SizeIs(1));
}

TEST(CoordinatorEndings, ARunThatEndsTakesNoResize) {
    Driven run(options_for(two_places()));
    run.train();
    run.asked(StopRequest{"enough"});
    EXPECT_FALSE(run.asked(ResizeRequest{two_places()}).accepted);
    EXPECT_TRUE(run.asked(StopRequest{"enough"}).accepted);
}

}  // namespace
}  // namespace medley::executor
