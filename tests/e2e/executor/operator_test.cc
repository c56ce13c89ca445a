#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "executor/session/operator_client.h"
#include "tests/e2e/executor/right_end.h"
#include "tests/support/real_run.h"
#include "tests/support/temporary_folder.h"

namespace medley::test {
namespace {

using namespace medley::executor;

RequestReply resize(const RealRun& run, int workers) {
    return std::get<RequestReply>(ask_coordinator(run.directory(), ResizeRequest{run.job().placement(workers)}));
}

StatusReply status(const RealRun& run) { return std::get<StatusReply>(ask_coordinator(run.directory(), StatusRequest{})); }

TEST(Operator, IsToldHowTheRunStands) {
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.steps = 60});
    run.start();
    ASSERT_TRUE(run.wait_for_step(3));
    const StatusReply told = status(run);
    EXPECT_EQ(told.job, "emulated");
    EXPECT_EQ(told.steps, 60);
    EXPECT_GE(told.step, 3);
    EXPECT_EQ(told.workers.size(), 3U);
    expect_right_end(run);
}

TEST(Operator, GrowsAndShrinksARunThatGoesOn) {
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.workers = 1, .steps = 120});
    run.start();
    ASSERT_TRUE(run.wait_for_step(2));
    EXPECT_TRUE(resize(run, 4).accepted);
    EXPECT_NE(run.wait_for("joined 2 "), "");
    EXPECT_EQ(run.workers().size(), 4U);
    EXPECT_TRUE(resize(run, 2).accepted);
    EXPECT_NE(run.wait_for("joined 3 "), "");
    expect_right_end(run);
    EXPECT_EQ(run.count("lost "), 0);
}

TEST(Operator, MovesASingleVirtualNodeToAnotherDeviceAndBack) {
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.workers = 1, .virtual_nodes = 1, .steps = 200});
    run.start();
    ASSERT_TRUE(run.wait_for_step(2));
    Placement elsewhere = run.job().placement(1);
    elsewhere.places[0].gpu_type = "P100";
    EXPECT_TRUE(std::get<RequestReply>(ask_coordinator(run.directory(), ResizeRequest{elsewhere})).accepted);
    EXPECT_THAT(run.wait_for("generation 2 "), testing::EndsWith(" of 2,1")) << "it hands the state over";
    EXPECT_THAT(run.wait_for("generation 3 "), testing::EndsWith(" of 2"));
    EXPECT_TRUE(resize(run, 1).accepted);
    EXPECT_THAT(run.wait_for("generation 5 "), testing::EndsWith(" of 3"));
    expect_right_end(run);
    EXPECT_EQ(run.count("lost "), 0);
}

TEST(Operator, APlacementThatIsNotSoundIsRefusedAndChangesNothing) {
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.steps = 40});
    run.start();
    ASSERT_TRUE(run.wait_for_step(2));
    Placement twice = run.job().placement(2);
    twice.places[0].virtual_nodes.push_back(1);
    const auto reply = std::get<RequestReply>(ask_coordinator(run.directory(), ResizeRequest{twice}));
    EXPECT_FALSE(reply.accepted);
    EXPECT_NE(reply.message, "");
    expect_right_end(run);
    EXPECT_EQ(run.count("generation "), 1);
}

TEST(Operator, StopsARunThatIsResumedLaterWithoutLosingAStep) {
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.steps = 60});
    run.start();
    ASSERT_TRUE(run.wait_for_step(5));
    EXPECT_TRUE(std::get<RequestReply>(ask_coordinator(run.directory(), StopRequest{"enough"})).accepted);
    run.wait();
    EXPECT_EQ(run.left_behind(), "");
    EXPECT_EQ(run.count("stopped "), 1);
    const std::int64_t step = run.last_step();
    run.resume();
    EXPECT_THAT(run.wait_for("generation "), testing::HasSubstr("generation 2 " + std::to_string(step) + " "));
    expect_right_end(run);
}

TEST(Operator, AnInterruptIsAStopAndASecondOneEndsAtOnce) {
    const TemporaryFolder folder;
    RealRun gentle(folder / "gentle", {.steps = 100000});
    gentle.start();
    ASSERT_TRUE(gentle.wait_for_step(3));
    gentle.signal_coordinator(SIGINT);
    gentle.wait();
    EXPECT_EQ(gentle.count("stopped "), 1);
    EXPECT_EQ(gentle.left_behind(), "");

    RealRun abrupt(folder / "abrupt", {.steps = 100000, .silence_ms = 60000});
    abrupt.start();
    ASSERT_TRUE(abrupt.wait_for_step(3));
    abrupt.signal_worker(1, SIGSTOP);  // so that the first one alone would take its time
    abrupt.signal_coordinator(SIGTERM);
    EXPECT_NE(abrupt.wait_for("warning stopping"), "");
    abrupt.signal_coordinator(SIGTERM);
    EXPECT_EQ(abrupt.wait(), 1);
    EXPECT_NE(abrupt.wait_for("ended badly stopped at once"), "");
    EXPECT_EQ(abrupt.left_behind(), "");
}

TEST(Operator, WithoutACoordinatorThereIsAnErrorThatSaysSo) {
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.steps = 5});
    EXPECT_THROW(ask_coordinator(folder / "run", StatusRequest{}), Error);
    run.start();
    EXPECT_EQ(run.wait(), 0);
    try {
        status(run);
        FAIL();
    } catch (const Error& error) { EXPECT_THAT(error.what(), testing::HasSubstr("no coordinator answers")); }
}

}  // namespace
}  // namespace medley::test
