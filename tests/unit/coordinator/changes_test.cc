// Resizes: asked for or planned, larger, smaller, elsewhere.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/coordinator/driven.h"

namespace medley::executor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

RequestReply resize(Driven& run, Placement placement) { return run.asked(ResizeRequest{std::move(placement)}); }

TEST(CoordinatorChanges, AShrinkPausesAtOnceAndLetsTheOthersGoAfterTheNewRecord) {
    Driven run(options_for(two_places()));
    run.train();
    EXPECT_TRUE(resize(run, {{place("b", {0, 1, 2, 3})}}).accepted);
    EXPECT_THAT(run.told<Pause>(1), SizeIs(1));
    run.stopped(1, 1, 3, StopCause::kPaused);
    EXPECT_THAT(run.told<Shutdown>(1), IsEmpty());
    run.stopped(2, 1, 3, StopCause::kPaused);
    EXPECT_THAT(run.generation().members, ElementsAre(2));
    EXPECT_EQ(run.generation().step, 3);
    EXPECT_THAT(run.told<Shutdown>(1), SizeIs(1));
    EXPECT_TRUE(run.logged<LostRecord>().back().orderly);
    EXPECT_FALSE(run.killed(1));
}

TEST(CoordinatorChanges, ALeaverThatDoesNotEndIsKilled) {
    Driven run(options_for(two_places()));
    run.train();
    resize(run, {{place("b", {0, 1, 2, 3})}});
    run.stopped(1, 1, 3, StopCause::kPaused);
    run.stopped(2, 1, 3, StopCause::kPaused);
    run.pass(5100, {2});
    EXPECT_TRUE(run.killed(1));
}

TEST(CoordinatorChanges, AGrowthLetsTheOldOnesTrainUntilTheNewOnesAreReady) {
    Driven run(options_for(two_places()));
    run.train();
    resize(run, {{place("a", {0}), place("b", {1}), place("c", {2, 3})}});
    ASSERT_THAT(run.launched(), SizeIs(3));
    EXPECT_THAT(run.told<Pause>(1), IsEmpty());
    run.ready(3);
    EXPECT_THAT(run.told<Pause>(1), SizeIs(1));
    run.stopped(1, 1, 3, StopCause::kPaused);
    run.stopped(2, 1, 3, StopCause::kPaused);
    EXPECT_THAT(run.generation().members, ElementsAre(1, 2, 3));
    EXPECT_THAT(run.told<Welcome>(3).front().place.virtual_nodes, ElementsAre(2, 3));
}

TEST(CoordinatorChanges, WorkersOnTheSameDevicesAreKept) {
    Driven run(options_for(two_places()));
    run.train();
    resize(run, {{place("b", {0, 1, 2}), place("a", {3})}});
    EXPECT_THAT(run.launched(), SizeIs(2));
    run.stopped(1, 1, 1, StopCause::kPaused);
    run.stopped(2, 1, 1, StopCause::kPaused);
    EXPECT_THAT(run.generation().members, ElementsAre(2, 1));
    EXPECT_THAT(run.generation().placement.places[0].virtual_nodes, ElementsAre(0, 1, 2));
}

TEST(CoordinatorChanges, TheSamePlacementAgainInterruptsNothing) {
    Driven run(options_for(two_places()));
    run.train();
    EXPECT_TRUE(resize(run, {{place("b", {2, 3}), place("a", {0, 1})}}).accepted);
    EXPECT_THAT(run.told<Pause>(1), IsEmpty());
}

TEST(CoordinatorChanges, AMoveToOtherDevicesHandsTheStateOnThroughOneThatStays) {
    Driven run(options_for(two_places()));
    run.train();
    resize(run, {{place("c", {0, 1}), place("d", {2, 3})}});
    run.ready(3);
    EXPECT_THAT(run.told<Pause>(1), IsEmpty());
    run.ready(4);
    run.stopped(1, 1, 5, StopCause::kPaused);
    run.stopped(2, 1, 5, StopCause::kPaused);
    EXPECT_THAT(run.generation().members, ElementsAre(3, 4, 1));
    EXPECT_EQ(run.generation().source, 2U);
    EXPECT_THAT(run.generation().placement.places[1].virtual_nodes, ElementsAre(2, 3)) << "as wanted from the first step on";
    EXPECT_THAT(run.generation().placement.places[2].virtual_nodes, IsEmpty());
    EXPECT_THAT(run.told<Shutdown>(2), SizeIs(1));
    run.joined({3, 4, 1}, 2, 5);
    EXPECT_THAT(run.told<Pause>(3), SizeIs(1));
    for (const WorkerNumber worker : {3U, 4U, 1U}) { run.stopped(worker, 2, 6, StopCause::kPaused); }
    EXPECT_THAT(run.generation().members, ElementsAre(3, 4));
    EXPECT_THAT(run.generation().placement.places[0].virtual_nodes, ElementsAre(0, 1));
    EXPECT_THAT(run.told<Shutdown>(1), SizeIs(1));
}

TEST(CoordinatorChanges, TheLatestWishWinsWhileAGenerationForms) {
    Driven run(options_for(two_places()));
    run.ready(1);
    run.ready(2);
    EXPECT_TRUE(resize(run, {{place("a", {0, 1, 2, 3})}}).accepted);
    EXPECT_TRUE(resize(run, {{place("b", {0, 1, 2, 3})}}).accepted);
    run.joined({1, 2}, 1);
    EXPECT_THAT(run.told<Pause>(1), SizeIs(1));
    run.stopped(1, 1, 0, StopCause::kPaused);
    run.stopped(2, 1, 0, StopCause::kPaused);
    EXPECT_THAT(run.generation().members, ElementsAre(2));
}

TEST(CoordinatorChanges, ANewcomerThatIsNoLongerWantedIsLetGo) {
    Driven run(options_for(two_places()));
    run.train();
    resize(run, {{place("a", {0}), place("b", {1}), place("c", {2, 3})}});
    resize(run, two_places());
    EXPECT_TRUE(run.killed(3));
    EXPECT_THAT(run.told<Pause>(1), IsEmpty());
    run.connect(3);
    EXPECT_THAT(run.told<Shutdown>(3), SizeIs(1));
}

TEST(CoordinatorChanges, ALossWhileNewcomersStartIsSurvivedByTheOldOnes) {
    Driven run(options_for(two_places()));
    run.train();
    resize(run, {{place("c", {0, 1, 2, 3})}});
    run.exits(1);
    run.stopped(2, 1, 4, StopCause::kBroken);
    EXPECT_THAT(run.generation().members, ElementsAre(2));
    EXPECT_EQ(run.generation().step, 4);
}

TEST(CoordinatorChanges, NewcomersThatCannotBeStartedLeaveTheOldOnesAtWork) {
    Driven run(options_for(two_places()));
    run.train();
    resize(run, {{place("c", {0, 1, 2, 3})}});
    for (WorkerNumber worker = 3; worker <= 6; ++worker) {
        run.exits(worker);
        run.pass(9000, {1, 2});
    }
    EXPECT_THAT(run.told<Pause>(1), IsEmpty());
    EXPECT_EQ(run.status().phase, "training");
    EXPECT_FALSE(run.ended());
}

TEST(CoordinatorChanges, AnUnsoundPlacementIsRefusedWithTheReason) {
    Driven run(options_for(two_places()));
    run.train();
    const RequestReply reply = resize(run, {{place("a", {0, 1, 2})}});
    EXPECT_FALSE(reply.accepted);
    EXPECT_THAT(reply.message, HasSubstr("virtual node 3"));
    EXPECT_THAT(run.logged<TargetRecord>(), SizeIs(1));
}

/// A single virtual node at step 3 on its way from worker 1 to worker 2, which is not in yet.
Driven single_node_under_way() {
    Driven run(options_for({{place("a", {0})}}, 1));
    run.ready(1);
    run.joined({1}, 1);
    EXPECT_TRUE(resize(run, {{place("b", {0})}}).accepted);
    run.ready(2);
    run.stopped(1, 1, 3, StopCause::kPaused);
    return run;
}

TEST(CoordinatorChanges, ASingleVirtualNodeMovesWhileItsOldDeviceHandsTheStateOn) {
    Driven run = single_node_under_way();
    EXPECT_THAT(run.generation().members, ElementsAre(2, 1));
    EXPECT_EQ(run.generation().source, 1U);
    EXPECT_THAT(run.generation().placement.places[0].virtual_nodes, ElementsAre(0));
    EXPECT_THAT(run.generation().placement.places[1].virtual_nodes, IsEmpty());
    run.joined({2, 1}, 2, 3);
    EXPECT_THAT(run.told<Pause>(2), SizeIs(1));
    run.stopped(2, 2, 4, StopCause::kPaused);
    run.stopped(1, 2, 4, StopCause::kPaused);
    EXPECT_THAT(run.generation().members, ElementsAre(2));
    EXPECT_EQ(run.generation().step, 4);
    EXPECT_THAT(run.told<Shutdown>(1), SizeIs(1));
    EXPECT_THAT(run.told<Pause>(2), SizeIs(1)) << "nothing is left to change";
}

TEST(CoordinatorChanges, ASingleVirtualNodeStaysIfItsNewDeviceIsLost) {
    Driven run = single_node_under_way();
    run.exits(2);
    run.stopped(1, 2, 3, StopCause::kBroken);
    EXPECT_THAT(run.generation().members, ElementsAre(1));
    EXPECT_THAT(run.generation().placement.places[0].virtual_nodes, ElementsAre(0));
}

TEST(CoordinatorChanges, ASingleVirtualNodeMayTurnBackOnItsWay) {
    Driven run = single_node_under_way();
    run.joined({2, 1}, 2, 3);
    EXPECT_TRUE(resize(run, {{place("a", {0})}}).accepted);
    run.stopped(2, 2, 4, StopCause::kPaused);
    run.stopped(1, 2, 4, StopCause::kPaused);
    EXPECT_THAT(run.generation().members, ElementsAre(1));
    EXPECT_THAT(run.told<Shutdown>(2), SizeIs(1));
}

TEST(CoordinatorChanges, APauseThatNobodyObeysBecomesAnAbort) {
    Driven run(options_for(two_places()));
    run.train();
    resize(run, {{place("b", {0, 1, 2, 3})}});
    run.pass(5200, {1, 2});
    EXPECT_THAT(run.told<Abort>(1), SizeIs(1));
    EXPECT_FALSE(run.killed(1));
    run.pass(5200, {1, 2});
    EXPECT_TRUE(run.killed(1));
}

TEST(CoordinatorChanges, LongStepsAreWaitedFor) {
    Driven run(options_for(two_places()));
    run.train();
    run.says(1, Stepped{.generation = 1, .step = 1, .times = {.compute_s = 20}});
    resize(run, {{place("b", {0, 1, 2, 3})}});
    run.pass(44000, {1, 2});
    EXPECT_THAT(run.told<Abort>(1), IsEmpty());
    run.pass(2000, {1, 2});
    EXPECT_THAT(run.told<Abort>(1), SizeIs(1));
}

TEST(CoordinatorChanges, PlannedResizesComeWithTheirStep) {
    CoordinatorOptions options = options_for(two_places());
    options.planned = {{2, {{place("a", {0, 1, 2, 3})}}}, {4, two_places()}};
    Driven run(options);
    run.train();
    run.stepped(1, 1, 1);
    EXPECT_THAT(run.told<Pause>(1), IsEmpty());
    run.stepped(1, 1, 2);
    EXPECT_THAT(run.told<Pause>(1), SizeIs(1));
    EXPECT_THAT(run.logged<TargetRecord>(), SizeIs(2));
    Driven again = run.restarted();
    EXPECT_THAT(again.logged<TargetRecord>(), SizeIs(2)) << "not asked for twice";
}

TEST(CoordinatorChanges, ARebalanceOfOnesOwnIsUsedIfItIsSound) {
    CoordinatorOptions options = options_for({{place("a", {0}), place("a", {1}), place("a", {2, 3})}});
    options.rebalance = [](std::span<const Place> live, std::span<const std::int64_t>) {
        Placement placement{{live.begin(), live.end()}};
        for (Place& one : placement.places) { one.virtual_nodes.clear(); }
        placement.places[0].virtual_nodes = {0};
        placement.places[1].virtual_nodes = {1, 2, 3};
        return placement;
    };
    for (const bool sound : {true, false}) {
        if (!sound) {
            options.rebalance = [](std::span<const Place>, std::span<const std::int64_t>) { return Placement{}; };
        }
        Driven run(options);
        for (const WorkerNumber worker : {1U, 2U, 3U}) { run.ready(worker); }
        run.joined({1, 2, 3}, 1);
        run.exits(3);
        run.stopped(1, 1, 0, StopCause::kBroken);
        run.stopped(2, 1, 0, StopCause::kBroken);
        EXPECT_THAT(run.generation().placement.places[1].virtual_nodes, SizeIs(sound ? 3 : 2));
    }
}

}  // namespace
}  // namespace medley::executor
