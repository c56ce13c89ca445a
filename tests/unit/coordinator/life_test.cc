// A run without mishaps: launching, forming, training, and what workers and operators are told.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/coordinator/driven.h"

namespace medley::executor {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(CoordinatorLife, EachPlaceGetsAWorkerThatIsLoggedFirst) {
    const Driven run(options_for(two_places()));
    ASSERT_THAT(run.launched(), SizeIs(2));
    EXPECT_EQ(run.launched()[0].worker, 1U);
    EXPECT_EQ(run.launched()[1].place.gpu_type, "b");
    EXPECT_THAT(run.logged<LaunchedRecord>(), SizeIs(2));
    EXPECT_EQ(run.logged<TermRecord>().front().term, 1U);
    EXPECT_THAT(run.logged<TargetRecord>(), SizeIs(1));
}

TEST(CoordinatorLife, TheFirstGenerationWaitsForAllPlacesAndStartsFromTheSeed) {
    Driven run(options_for(two_places()));
    run.ready(2);
    EXPECT_THAT(run.logged<GenerationRecord>(), IsEmpty());
    run.ready(1);
    const GenerationRecord generation = run.generation();
    EXPECT_THAT(generation.members, ElementsAre(1, 2));
    EXPECT_TRUE(generation.from_start);
    EXPECT_THAT(generation.placement.places[1].virtual_nodes, ElementsAre(2, 3));
    EXPECT_THAT(run.told<Form>(2), SizeIs(1));
    EXPECT_EQ(run.status().phase, "forming");
}

TEST(CoordinatorLife, AWorkerIsWelcomedWithItsPlaceAndTheJob) {
    Driven run(options_for(two_places()));
    run.connect(2);
    const Welcome welcome = run.told<Welcome>(2).front();
    EXPECT_EQ(welcome.term, 1U);
    EXPECT_EQ(welcome.place.gpu_type, "b");
    EXPECT_EQ(welcome.setup.job.name, "job");
}

TEST(CoordinatorLife, OffersGoOutWhenTheyAreAllInAndAgainToWhomeverAsksAgain) {
    Driven run(options_for(two_places()));
    run.ready(1);
    run.ready(2);
    run.says(2, Offer{.generation = 1, .round = 0, .blob = "two"});
    EXPECT_THAT(run.told<Offers>(2), IsEmpty());
    run.says(1, Offer{.generation = 1, .round = 0, .blob = "one"});
    EXPECT_THAT(run.told<Offers>(1).front().blobs, ElementsAre("one", "two"));
    EXPECT_THAT(run.told<Offers>(2), SizeIs(1));
    run.says(2, Offer{.generation = 1, .round = 0, .blob = "two"});
    EXPECT_THAT(run.told<Offers>(1), SizeIs(1));
    EXPECT_THAT(run.told<Offers>(2), SizeIs(2));
}

TEST(CoordinatorLife, OffersOfAnotherGenerationOrOfAFarRoundAreIgnored) {
    Driven run(options_for(two_places()));
    run.ready(1);
    run.ready(2);
    for (const WorkerNumber worker : {1U, 2U}) {
        run.says(worker, Offer{.generation = 9, .round = 0, .blob = "x"});
        run.says(worker, Offer{.generation = 1, .round = 4000000000U, .blob = "x"});
    }
    EXPECT_THAT(run.told<Offers>(1), IsEmpty());
}

TEST(CoordinatorLife, TrainingBeginsWhenAllHaveJoined) {
    Driven run(options_for(two_places()));
    run.ready(1);
    run.ready(2);
    run.joined({1}, 1);
    EXPECT_THAT(run.logged<JoinedRecord>(), IsEmpty());
    run.joined({2}, 1);
    EXPECT_THAT(run.logged<JoinedRecord>(), SizeIs(1));
    EXPECT_EQ(run.status().phase, "training");
}

TEST(CoordinatorLife, AStepProvesThatAllHaveJoined) {
    Driven run(options_for(two_places()));
    run.ready(1);
    run.ready(2);
    run.joined({1}, 1);
    run.stepped(1, 1, 1);
    EXPECT_THAT(run.logged<JoinedRecord>(), SizeIs(1));
    EXPECT_EQ(run.status().step, 1);
}

TEST(CoordinatorLife, StepsAreLoggedOnceForEachWorker) {
    Driven run(options_for(two_places()));
    run.train();
    run.stepped(1, 1, 1);
    run.stepped(2, 1, 1);
    run.stepped(2, 1, 1);
    run.stepped(2, 7, 2);
    EXPECT_THAT(run.logged<SteppedRecord>(), SizeIs(2));
}

TEST(CoordinatorLife, AnyWordRenewsTheLeaseIfItIsTime) {
    Driven run(options_for(two_places()));
    run.train();
    run.says(1, Heartbeat{});
    EXPECT_THAT(run.told<Lease>(1), IsEmpty()) << "its Welcome was word enough";
    run.pass(1500, {2});
    EXPECT_THAT(run.told<Lease>(1), IsEmpty());
    run.stepped(1, 1, 1);
    run.stepped(1, 1, 2);
    EXPECT_THAT(run.told<Lease>(1), SizeIs(1));
    run.forget_sent();
    run.pass(15000, {1, 2});
    EXPECT_THAT(run.told<Lease>(2), SizeIs(10));
}

TEST(CoordinatorLife, AShortLeaseIsRenewedInTime) {
    CoordinatorOptions options = options_for(two_places());
    options.setup.lease_s = 1.2;
    Driven run(options);
    run.train();
    run.pass(1200, {1, 2});
    EXPECT_THAT(run.told<Lease>(1), SizeIs(3));
}

TEST(CoordinatorLife, StatusSaysWhoDoesWhat) {
    Driven run(options_for(two_places()));
    run.train();
    run.says(1, Stepped{.generation = 1, .step = 3, .loss = 0.5, .times = {.compute_s = 2}});
    const StatusReply status = run.status();
    EXPECT_EQ(status.job, "job");
    EXPECT_EQ(status.step, 3);
    EXPECT_EQ(status.steps, 10);
    EXPECT_EQ(status.loss, 0.5);
    EXPECT_EQ(status.samples_per_s, 4);
    ASSERT_THAT(status.workers, SizeIs(2));
    EXPECT_EQ(status.workers[0].phase, "training");
    EXPECT_EQ(status.workers[1].process, 102);
    EXPECT_THAT(status.workers[1].virtual_node_batches, ElementsAre(2, 2));
}

TEST(CoordinatorLife, WhatIsNoRequestIsRefused) {
    Driven run(options_for(two_places()));
    EXPECT_FALSE(run.asked(Ready{}).accepted);
}

TEST(CoordinatorLife, WordsThatAreNoWorkersAreIgnored) {
    Driven run(options_for(two_places()));
    run.train();
    run.forget_sent();
    run.says(1, Shutdown{.term = 1});
    run.says(1, StopRequest{"now"});
    EXPECT_EQ(run.status().phase, "training");
    EXPECT_THAT(run.told<Shutdown>(2), IsEmpty());
}

}  // namespace
}  // namespace medley::executor
