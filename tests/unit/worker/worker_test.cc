#include "executor/worker/worker.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/worker/driven_worker.h"

namespace medley::executor {
namespace {

using test::Driven;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// ---- the connection

TEST(Worker, ConnectsSaysHelloAndBuildsItsEngineOnce) {
    Driven worker;
    EXPECT_THAT(worker.commands<ConnectAt>(), SizeIs(1));
    worker.welcome();
    ASSERT_THAT(worker.said<Hello>(), SizeIs(1));
    EXPECT_EQ(worker.said<Hello>()[0].worker, 7U);
    EXPECT_EQ(worker.said<Hello>()[0].process, 70);
    EXPECT_THAT(worker.commands<BuildEngine>(), SizeIs(1));
    worker.give(EngineBuilt{"cpu", 100});
    EXPECT_THAT(worker.said<Ready>(), SizeIs(1));
    worker.hears(Welcome{.term = 1});
    EXPECT_THAT(worker.commands<BuildEngine>(), SizeIs(1));
}

TEST(Worker, TriesAgainEverMoreSlowlyUpToASecond) {
    Driven worker;
    std::vector<Milliseconds> waits;
    for (int attempt = 0; attempt < 7; ++attempt) {
        worker.forget();
        worker.give(ConnectFailed{"refused"});
        waits.push_back(worker.commands<ConnectAt>().at(0).time - worker.now());
    }
    EXPECT_THAT(waits, ElementsAre(50, 100, 200, 400, 800, 1000, 1000));
}

TEST(Worker, GivesUpIfNoCoordinatorIsEverFound) {
    Driven worker;
    worker.pass(29900);
    EXPECT_FALSE(worker.exit_code());
    worker.pass(200);
    EXPECT_EQ(worker.exit_code(), 1);
}

TEST(Worker, GivesUpAtOnceIfItsSecretIsRefused) {
    Driven worker;
    worker.give(ConnectFailed{"wrong proof", true});
    EXPECT_EQ(worker.exit_code(), 1);
}

TEST(Worker, ConnectsAnewWhenTheCoordinatorFallsSilent) {
    Driven worker;
    worker.train();
    worker.pass(4900);
    EXPECT_THAT(worker.commands<CloseConnection>(), IsEmpty());
    EXPECT_THAT(worker.said<Heartbeat>(), SizeIs(9));
    worker.pass(200);
    EXPECT_THAT(worker.commands<CloseConnection>(), SizeIs(1));
    EXPECT_THAT(worker.commands<ConnectAt>(), SizeIs(1));
}

/// Which of the steps 1 to `last` a member of this rank says, if each takes so long.
std::vector<Step> steps_said(std::uint32_t rank, std::size_t members, double step_s, Step last) {
    Driven worker;
    worker.prepare();
    Form form = Driven::form(1);
    form.members.resize(members);
    form.placement.places.resize(members);
    for (std::uint32_t index = 0; index < members; ++index) { form.members[index] = index == rank ? 7 : 100 + index; }
    worker.hears(form);
    for (Step step = 1; step <= last; ++step) {
        worker.give(TrainerStepped{{.generation = 1, .step = step, .times = {.compute_s = step_s / 2, .collective_s = step_s / 2}}});
    }
    std::vector<Step> said;
    for (const Stepped& stepped : worker.said<Stepped>()) { said.push_back(stepped.step); }
    return said;
}

TEST(Worker, SaysEachStepAsTheFirstRank) { EXPECT_THAT(steps_said(0, 128, 0.01, 5), ElementsAre(1, 2, 3, 4, 5)); }

// The heartbeat is 0.5 s, and 1 s among many: of 128 members each may say a step in so long, of 32 one in 0.125 s.
TEST(Worker, SaysFewStepsAsOneOfMany) {
    EXPECT_THAT(steps_said(5, 128, 0.26, 12), ElementsAre(4, 8, 12));
    EXPECT_THAT(steps_said(5, 32, 0.0625, 6), ElementsAre(2, 4, 6));
    EXPECT_THAT(steps_said(5, 256, 0.5, 6), ElementsAre(2, 4, 6)) << "never more seldom than a heartbeat";
}

TEST(Worker, SaysEachStepAsOneOfFewOrIfStepsAreLong) {
    EXPECT_THAT(steps_said(1, 2, 0.01, 3), ElementsAre(1, 2, 3));
    EXPECT_THAT(steps_said(5, 128, 1, 3), ElementsAre(1, 2, 3));
}

TEST(Worker, SaysSomeStepsEvenIfTheyTakeNoTime) { EXPECT_THAT(steps_said(1, 3, 0, 2100), ElementsAre(1024, 2048)); }

TEST(Worker, SparesItsHeartbeatsWhileItSaysOtherThings) {
    Driven worker;
    worker.train();
    for (Step step = 5; step < 15; ++step) {
        worker.pass(400);
        worker.give(TrainerStepped{{.generation = 1, .step = step, .times = {.compute_s = 0.4}}});
    }
    EXPECT_THAT(worker.said<Stepped>(), SizeIs(10));
    EXPECT_THAT(worker.said<Heartbeat>(), IsEmpty());
    worker.pass(500);
    EXPECT_THAT(worker.said<Heartbeat>(), SizeIs(1));
}

TEST(Worker, SaysAgainWhatMayHaveBeenMissed) {
    Driven worker;
    worker.prepare();
    worker.hears(Driven::form(1));
    worker.give(TrainerOffers{1, 0, "blob"});
    worker.give(Disconnected{});
    worker.forget();
    worker.give(Connected{});
    EXPECT_EQ(worker.said<Hello>().at(0).state, WorkerState::kTraining);
    EXPECT_THAT(worker.said<Ready>(), SizeIs(1));
    EXPECT_EQ(worker.said<Offer>().at(0).blob, "blob");
    worker.give(TrainerJoined{1, 0});
    worker.give(Disconnected{});
    worker.forget();
    worker.give(Connected{});
    EXPECT_THAT(worker.said<Joined>(), SizeIs(1));
    worker.trainer_stops(3, StopCause::kBroken);
    worker.give(TrainerCheckpointed{{.step = 3, .file = "f"}});
    worker.give(Disconnected{});
    worker.forget();
    worker.give(Connected{});
    EXPECT_EQ(worker.said<Hello>().at(0).step, 3);
    EXPECT_EQ(worker.said<Stopped>().at(0).cause, StopCause::kBroken);
    EXPECT_EQ(worker.said<Checkpointed>().at(0).file, "f");
    EXPECT_THAT(worker.said<Joined>(), IsEmpty());
}

// ---- rule 1: terms

TEST(Worker, AnEarlierTermIsAnsweredByClosing) {
    for (const Message& stale : {Message(Form(Driven::form(2, 0, 1))), Message(Abort{1, 1}), Message(Pause{1, 1}), Message(Lease{1}),
                                 Message(Shutdown{.term = 1}), Message(Welcome{.term = 1})}) {
        Driven worker;
        worker.train();
        worker.hears(Lease{2});
        worker.forget();
        worker.hears(stale);
        EXPECT_THAT(worker.commands<CloseConnection>(), SizeIs(1)) << stale.index();
        EXPECT_THAT(worker.commands<PauseTrainer>(), IsEmpty());
        EXPECT_THAT(worker.commands<AbortTrainer>(), IsEmpty());
        EXPECT_FALSE(worker.exit_code());
    }
}

TEST(Worker, TellsTheHighestTermItHasSeen) {
    Driven worker;
    worker.train();
    worker.hears(Lease{5});
    worker.give(Disconnected{});
    worker.forget();
    worker.give(Connected{});
    EXPECT_EQ(worker.said<Hello>().at(0).term, 5U);
}

// ---- rules 2 to 4: generations

TEST(Worker, EntersAGenerationWithItsRank) {
    Driven worker;
    worker.prepare();
    worker.hears(Driven::form(1));
    ASSERT_THAT(worker.commands<StartGeneration>(), SizeIs(1));
    EXPECT_EQ(worker.commands<StartGeneration>()[0].rank, 1U);
}

TEST(Worker, ARepeatedOrEarlierFormIsIgnored) {
    Driven worker;
    worker.prepare();
    worker.hears(Driven::form(2));
    worker.hears(Driven::form(2));
    worker.hears(Driven::form(3));
    worker.trainer_stops(kNoState, StopCause::kBroken, 2);
    worker.hears(Driven::form(2));
    worker.hears(Driven::form(1));
    EXPECT_THAT(worker.commands<StartGeneration>(), SizeIs(1));
    worker.hears(Driven::form(3));
    EXPECT_THAT(worker.commands<StartGeneration>(), SizeIs(2));
}

TEST(Worker, AFormBeforeTheEngineIsBuiltOrForOthersIsIgnored) {
    Driven worker;
    worker.welcome();
    worker.hears(Driven::form(1));
    worker.give(EngineBuilt{});
    Form foreign = Driven::form(2);
    foreign.members = {3, 4};
    worker.hears(foreign);
    Form unsound = Driven::form(3);
    unsound.placement.places.pop_back();
    worker.hears(unsound);
    EXPECT_THAT(worker.commands<StartGeneration>(), IsEmpty());
}

TEST(Worker, AStateItDoesNotHoldIsNotGivenOut) {
    Driven worker;
    worker.train();
    worker.trainer_stops(4);
    Form form = Driven::form(2, 5);
    form.source = 1;
    worker.forget();
    worker.hears(form);
    EXPECT_THAT(worker.commands<StartGeneration>(), IsEmpty());
    EXPECT_EQ(worker.said<Stopped>().at(0).generation, 2U);
    EXPECT_EQ(worker.said<Stopped>().at(0).step, 4);
}

TEST(Worker, PauseAndAbortCountForTheCurrentGenerationAndOnce) {
    Driven worker;
    worker.train();
    worker.hears(Pause{1, 9});
    worker.hears(Abort{1, 9});
    EXPECT_THAT(worker.commands<PauseTrainer>(), IsEmpty());
    EXPECT_THAT(worker.commands<AbortTrainer>(), IsEmpty());
    for (int times = 0; times < 2; ++times) { worker.hears(Pause{1, 1}); }
    for (int times = 0; times < 2; ++times) { worker.hears(Abort{1, 1}); }
    EXPECT_THAT(worker.commands<PauseTrainer>(), SizeIs(1));
    EXPECT_THAT(worker.commands<AbortTrainer>(), SizeIs(1));
    worker.trainer_stops(4, StopCause::kBroken);
    worker.hears(Abort{1, 1});
    EXPECT_THAT(worker.commands<AbortTrainer>(), SizeIs(1));
}

TEST(Worker, OffersAreDeliveredOnceAndInTheirOrder) {
    Driven worker;
    worker.prepare();
    worker.hears(Driven::form(1));
    worker.hears(Offers{.generation = 1, .round = 1});
    worker.hears(Offers{.generation = 1, .round = 0});
    worker.hears(Offers{.generation = 1, .round = 0});
    worker.hears(Offers{.generation = 2, .round = 1});
    worker.hears(Offers{.generation = 1, .round = 1});
    const auto delivered = worker.commands<DeliverOffers>();
    ASSERT_THAT(delivered, SizeIs(2));
    EXPECT_EQ(delivered[1].offers.round, 1U);
}

TEST(Worker, AStateThatWasReceivedBeforeItCouldJoinCounts) {
    Driven worker;
    worker.prepare();
    worker.hears(Driven::form(1, 4));
    worker.trainer_stops(4, StopCause::kBroken);
    worker.give(Disconnected{});
    worker.forget();
    worker.give(Connected{});
    EXPECT_EQ(worker.said<Hello>().at(0).state, WorkerState::kStopped);
    EXPECT_EQ(worker.said<Hello>().at(0).step, 4);
}

TEST(Worker, OneThatReceivedNothingIsFreshAsBefore) {
    Driven worker;
    worker.prepare();
    worker.hears(Driven::form(1));
    worker.trainer_stops(kNoState, StopCause::kBroken);
    EXPECT_EQ(worker.said<Stopped>().at(0).step, kNoState);
    worker.give(Disconnected{});
    worker.forget();
    worker.give(Connected{});
    EXPECT_EQ(worker.said<Hello>().at(0).state, WorkerState::kFresh);
}

TEST(Worker, AStateThatBrokeOffWhileItWasReceivedIsNone) {
    Driven worker;
    worker.train();
    worker.trainer_stops(4);
    worker.hears(Driven::form(2, 6));
    worker.forget();
    worker.trainer_stops(kNoState, StopCause::kBroken, 2);
    EXPECT_EQ(worker.said<Stopped>().at(0).step, kNoState);
}

TEST(Worker, ReportsOfAnEarlierGenerationAreIgnored) {
    Driven worker;
    worker.train();
    worker.trainer_stops(4);
    worker.hears(Driven::form(2, 4));
    worker.forget();
    worker.give(TrainerOffers{1, 0, "old"});
    worker.give(TrainerJoined{1, 0});
    worker.give(TrainerStepped{{.generation = 1, .step = 9}});
    worker.trainer_stops(9);
    EXPECT_THAT(worker.commands<SendToCoordinator>(), IsEmpty());
}

TEST(Worker, AFailedEngineIsToldAndEndsTheProcess) {
    Driven worker;
    worker.welcome();
    worker.give(EngineFailed{"no memory"});
    EXPECT_EQ(worker.said<Failed>().at(0).reason, "no memory");
    EXPECT_EQ(worker.exit_code(), 1);
    worker.forget();
    worker.hears(Lease{1});
    EXPECT_THAT(worker.commands<TickAt>(), IsEmpty());
}

// ---- the end

TEST(Worker, AShutdownEndsIt) {
    Driven worker;
    worker.train();
    worker.hears(Shutdown{.term = 1});
    EXPECT_EQ(worker.exit_code(), 0);
}

TEST(Worker, AShutdownWithACheckpointWaitsForTheNextWord) {
    Driven worker;
    worker.train();
    worker.hears(Shutdown{.term = 1, .checkpoint = true});
    EXPECT_THAT(worker.commands<PauseTrainer>(), SizeIs(1));
    worker.trainer_stops(4);
    worker.hears(Shutdown{.term = 1, .checkpoint = true});
    EXPECT_THAT(worker.commands<SaveCheckpoint>(), SizeIs(1));
    worker.give(TrainerCheckpointed{{.step = 4, .file = "f"}});
    EXPECT_THAT(worker.said<Checkpointed>(), SizeIs(1));
    EXPECT_FALSE(worker.exit_code());
    worker.hears(Shutdown{.term = 1});
    EXPECT_EQ(worker.exit_code(), 0);
}

TEST(Worker, WithoutStateThereIsNothingToSave) {
    Driven worker;
    worker.prepare();
    worker.hears(Shutdown{.term = 1, .checkpoint = true});
    EXPECT_THAT(worker.commands<SaveCheckpoint>(), IsEmpty());
    EXPECT_FALSE(worker.said<Checkpointed>().at(0).error.empty());
}

TEST(Worker, AFormThatComesWhileSavingWaits) {
    Driven worker;
    worker.train();
    worker.trainer_stops(4);
    worker.hears(Shutdown{.term = 1, .checkpoint = true});
    worker.hears(Driven::form(2, 4, 2));
    EXPECT_THAT(worker.commands<StartGeneration>(), IsEmpty());
    worker.give(TrainerCheckpointed{{.step = 3, .file = "an earlier one"}});
    EXPECT_THAT(worker.commands<StartGeneration>(), IsEmpty());
    worker.give(TrainerCheckpointed{{.step = 4, .file = "f"}});
    EXPECT_THAT(worker.commands<StartGeneration>(), SizeIs(1));
}

// ---- rule 5: the lease

TEST(Worker, TrainsOnWithoutACoordinatorUntilItsLeaseEndsThenSavesAndExits) {
    Driven worker;
    worker.train();
    worker.give(Disconnected{});
    worker.pass(19900);
    EXPECT_THAT(worker.commands<PauseTrainer>(), IsEmpty());
    worker.pass(200);
    EXPECT_THAT(worker.commands<PauseTrainer>(), SizeIs(1));
    worker.trainer_stops(4);
    EXPECT_THAT(worker.commands<SaveCheckpoint>(), SizeIs(1));
    EXPECT_FALSE(worker.exit_code());
    worker.give(TrainerCheckpointed{{.step = 4, .file = "f"}});
    EXPECT_EQ(worker.exit_code(), 1);
}

TEST(Worker, AFreshOneHasNothingToSaveWhenItsLeaseEnds) {
    Driven worker;
    worker.prepare();
    worker.give(Disconnected{});
    worker.pass(20100);
    EXPECT_EQ(worker.exit_code(), 1);
    EXPECT_THAT(worker.commands<SaveCheckpoint>(), IsEmpty());
}

TEST(Worker, ATrainerThatDoesNotPauseIsAbortedAndOneThatNeverStopsIsLeft) {
    Driven worker;
    worker.train();
    worker.give(Disconnected{});
    worker.pass(40200);
    EXPECT_THAT(worker.commands<AbortTrainer>(), SizeIs(1));
    worker.pass(20100);
    EXPECT_EQ(worker.exit_code(), 1);
}

TEST(Worker, AWordInTimeRenewsTheLease) {
    Driven worker;
    worker.train();
    for (int times = 0; times < 3; ++times) {
        worker.pass(4000);
        worker.hears(Lease{1});
        worker.pass(4000);
        worker.hears(Lease{1});
    }
    EXPECT_THAT(worker.commands<PauseTrainer>(), IsEmpty());
}

TEST(Worker, ACoordinatorThatReturnsDuringTheLastPauseKeepsItAlive) {
    Driven worker;
    worker.train();
    worker.give(Disconnected{});
    worker.pass(20100);
    worker.welcome(2);
    worker.trainer_stops(4);
    worker.give(TrainerCheckpointed{{.step = 4, .file = "f"}});
    worker.hears(Driven::form(2, 4, 2));
    EXPECT_THAT(worker.commands<StartGeneration>(), SizeIs(1));
    EXPECT_FALSE(worker.exit_code());
}

TEST(Worker, TimeAsleepDoesNotCount) {
    Driven worker;
    worker.train();
    worker.sleep(100000);
    worker.give(ClockTicked{});
    EXPECT_FALSE(worker.exit_code());
    EXPECT_THAT(worker.commands<PauseTrainer>(), IsEmpty());
    EXPECT_THAT(worker.commands<CloseConnection>(), IsEmpty());
}

}  // namespace
}  // namespace medley::executor
