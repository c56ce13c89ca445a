#include "executor/training/meeting.h"

#include <array>
#include <thread>

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thread_collective.h"
#include "tests/support/toy_engine.h"

namespace medley::executor {
namespace {

using test::PlannedFault;
using test::ThreadGroup;

constexpr int kRanks = 3;

TrainingState state_of(std::uint64_t seed, std::size_t parameters = 37) {
    const RunSetup setup{.job = {.model = MlpModel{}, .data = SyntheticData{}, .seed = seed}, .virtual_nodes = {1}, .exact = true};
    const EngineSetup engine{.job = setup.job, .virtual_nodes = setup.virtual_nodes, .exact = true};
    TrainingState state = make_training_state(test::make_toy_engine(engine, {.parameters = parameters}), setup);
    state.initialise();
    state.held = false;
    return state;
}

TrainingState holding(std::uint64_t seed, Step step) {
    TrainingState state = state_of(seed);
    state.held = true;
    state.step = step;
    state.loss = static_cast<double>(step) / 2;
    return state;
}

struct Met {
    Outcome outcome;
    std::string error;
};

std::array<Met, kRanks> meet(std::array<TrainingState, kRanks>& states, const Form& form, std::vector<PlannedFault> faults = {},
                             const std::array<std::string, kRanks>& jobs = {"job", "job", "job"}) {
    const ThreadGroup group(kRanks, std::move(faults));
    std::array<Met, kRanks> met;
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < kRanks; ++rank) {
        threads.emplace_back([&, rank] {
            const auto collective = group.member(static_cast<int>(rank));
            try {
                met[rank].outcome = share_state(states[rank], *collective, form, jobs[rank]);
            } catch (const Error& error) { met[rank].error = error.what(); }
        });
    }
    for (std::thread& thread : threads) { thread.join(); }
    return met;
}

TEST(Meeting, GivesEverybodyTheStateOfTheSource) {
    std::array<TrainingState, kRanks> states = {state_of(1), holding(2, 7), holding(3, 6)};
    const std::string expected = states[1].digest();
    for (const Met& met : meet(states, {.step = 7, .source = 1})) { EXPECT_TRUE(met.outcome); }
    for (TrainingState& state : states) {
        EXPECT_EQ(state.digest(), expected);
        EXPECT_EQ(state.step, 7);
        EXPECT_EQ(state.loss, 3.5);
        EXPECT_TRUE(state.held);
    }
}

TEST(Meeting, SendsNothingIfAllHoldTheSame) {
    std::array<TrainingState, kRanks> states = {holding(1, 7), holding(1, 7), holding(1, 7)};
    // The first call is the exchange of hashes; there is no second one to fail.
    for (const Met& met : meet(states, {.step = 7}, {{.call = 1, .rank = 0}})) { EXPECT_TRUE(met.outcome); }
    states = {holding(1, 7), holding(2, 7), holding(1, 7)};
    for (const Met& met : meet(states, {.step = 7}, {{.call = 1, .rank = 0}})) { EXPECT_FALSE(met.outcome); }
}

TEST(Meeting, TellsTheStepEvenIfTheStateIsTheSame) {
    std::array<TrainingState, kRanks> states = {holding(1, 7), holding(1, 6), holding(1, 7)};
    for (const Met& met : meet(states, {.step = 7})) { EXPECT_TRUE(met.outcome); }
    EXPECT_EQ(states[1].step, 7);
}

TEST(Meeting, BeginsFromTheSeedWhenTold) {
    std::array<TrainingState, kRanks> states = {state_of(4), holding(4, 9), state_of(4)};
    TrainingState expected = state_of(4);
    for (const Met& met : meet(states, {.from_start = true})) { EXPECT_TRUE(met.outcome); }
    for (TrainingState& state : states) { EXPECT_EQ(state.digest(), expected.digest()); }
}

TEST(Meeting, BeginsFromACheckpointWhenTold) {
    const test::TemporaryFolder folder;
    TrainingState saved = holding(8, 30);
    const Checkpointed checkpoint = write_checkpoint(folder.path(), saved.snapshot("job"), 1);
    std::array<TrainingState, kRanks> states = {state_of(1), state_of(1), state_of(1)};
    for (const Met& met : meet(states, {.step = 30, .checkpoint = checkpoint.file})) { EXPECT_TRUE(met.outcome); }
    for (TrainingState& state : states) {
        EXPECT_EQ(state.digest(), saved.digest());
        EXPECT_EQ(state.loss, 15);
    }
}

TEST(Meeting, RefusesACheckpointOfAnotherJob) {
    const test::TemporaryFolder folder;
    TrainingState saved = holding(8, 30);
    const Checkpointed checkpoint = write_checkpoint(folder.path(), saved.snapshot("another"), 1);
    std::array<TrainingState, kRanks> states = {state_of(1), state_of(1), state_of(1)};
    for (const Met& met : meet(states, {.step = 30, .checkpoint = checkpoint.file})) {
        EXPECT_NE(met.error.find("of another job"), std::string::npos) << met.error;
    }
}

TEST(Meeting, RefusesMembersOfAnotherJobOrWithAnotherState) {
    std::array<TrainingState, kRanks> states = {holding(1, 7), holding(1, 7), holding(1, 7)};
    for (const Met& met : meet(states, {.step = 7}, {}, {"job", "job", "other"})) {
        EXPECT_NE(met.error.find("runs another job"), std::string::npos) << met.error;
    }
    states[2] = state_of(1, 38);
    for (const Met& met : meet(states, {.step = 7})) {
        EXPECT_NE(met.error.find("has other parts (parameters"), std::string::npos) << met.error;
    }
}

TEST(Meeting, FailsIfTheSourceDoesNotHoldTheStep) {
    std::array<TrainingState, kRanks> states = {holding(1, 6), state_of(1), state_of(1)};
    for (const Met& met : meet(states, {.step = 7})) {
        ASSERT_FALSE(met.outcome);
        EXPECT_EQ(met.outcome.error().detail, "rank 0 does not hold step 7");
    }
}

TEST(Meeting, ThatBreaksInTheMiddleLeavesEachStateWhole) {
    for (std::int64_t call = 0; call < 5; ++call) {
        std::array<TrainingState, kRanks> states = {holding(1, 7), holding(2, 6), state_of(3)};
        const std::array<std::string, 2> before = {states[0].digest(), states[1].digest()};
        const auto met = meet(states, {.step = 7}, {{.call = call, .rank = 0}});
        for (const Met& one : met) { EXPECT_FALSE(one.outcome); }
        EXPECT_EQ(states[0].digest(), before[0]);
        EXPECT_EQ(states[1].digest(), before[1]);
        EXPECT_FALSE(states[2].held);
    }
}

}  // namespace
}  // namespace medley::executor
