#include "executor/training/training_step.h"

#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/support/thread_collective.h"
#include "tests/support/toy_engine.h"

namespace medley::executor {
namespace {

using test::PlannedFault;
using test::ThreadGroup;
using test::ToyOptions;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

RunSetup setup_of(bool exact) {
    return {.job = {.model = MlpModel{}, .data = SyntheticData{.samples = 40}, .seed = 5}, .virtual_nodes = {3, 1, 2}, .exact = exact};
}

/// One worker that holds all virtual nodes.
struct Alone {
    explicit Alone(bool exact = true, const ToyOptions& options = {})
        : setup(setup_of(exact)),
          state(make_training_state(
              test::make_toy_engine({.job = setup.job, .virtual_nodes = setup.virtual_nodes, .exact = exact}, options), setup)) {
        state.initialise();
    }

    StepResult step(std::vector<PlannedFault> faults = {}, bool wish = false) {
        const auto collective = ThreadGroup(1, std::move(faults)).member(0);
        return training_step(state, {.order = order, .collective = *collective, .virtual_nodes = nodes}, [wish] { return wish; });
    }

    RunSetup setup;
    TrainingState state;
    SampleOrder order{40, setup.virtual_nodes, 5};
    std::vector<VirtualNode> nodes = {0, 1, 2};
};

float first_parameter(TrainingState& state) {
    float value = 0;
    std::memcpy(&value, state.sections()[0].bytes.data(), sizeof value);
    return value;
}

TEST(TrainingStep, GivesTheMeanLossAndTheWholeWeight) {
    Alone worker;
    const StepResult result = worker.step();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->weight, 6);
    EXPECT_GT(result->loss, 0);
    EXPECT_EQ(worker.state.step, 1);
    EXPECT_EQ(worker.state.loss, result->loss);
    EXPECT_FALSE(result->pause);
    EXPECT_TRUE(worker.step({}, true)->pause);
}

TEST(TrainingStep, MeasuresItsParts) {
    const StepTimes times = Alone().step()->times;
    EXPECT_GT(times.compute_s, 0);
    EXPECT_GT(times.collective_s, 0);
    EXPECT_GT(times.update_s, 0);
    EXPECT_GE(times.other_s, 0);
}

// Whatever call fails, in a first step (which is redone) and in a later one (which is not): nothing has changed, and the step done anew
// gives what it would have given at once.
TEST(TrainingStep, ThatFailsLeavesTheStateAsItWas) {
    for (const bool exact : {false, true}) {
        Alone undisturbed(exact);
        Alone worker(exact);
        for (int done = 0; done < 3; ++done) {
            ASSERT_TRUE(undisturbed.step());
            const std::string before = worker.state.digest();
            std::int64_t call = 0;
            while (!worker.step({{.call = call, .rank = 0, .kind = PlannedFault::Kind::kLosesLast}})) {
                ASSERT_EQ(worker.state.digest(), before) << "call " << call;
                ++call;
            }
            EXPECT_GE(call, exact ? 3 : 2);
            EXPECT_EQ(worker.state.digest(), undisturbed.state.digest());
        }
    }
}

TEST(TrainingStep, IsRedoneUntilTheScalesFit) {
    int runs = 0;
    Alone worker(true, {.factor = [&](std::int64_t step, std::uint32_t node) {
                     runs += node == 0 ? 1 : 0;
                     return step == 3 ? 1e6F : 1.0F;
                 }});
    std::vector<int> runs_of_step;
    for (int step = 0; step < 6; ++step) {
        runs = 0;
        ASSERT_TRUE(worker.step());
        runs_of_step.push_back(runs);
    }
    EXPECT_EQ(runs_of_step, (std::vector<int>{2, 1, 1, 2, 2, 1}));  // at the guess, the jump, and the fall
}

TEST(TrainingStep, WithAnEngineThatDoesNotRepeatItselfIsRefused) {
    float factor = 1;
    Alone worker(true, {.factor = [&](std::int64_t, std::uint32_t) { return factor *= 100; }});
    EXPECT_THROW(static_cast<void>(worker.step()), Error);
}

TEST(TrainingStep, CarriesNanAndInfinityIntoTheParameters) {
    for (const float poison : {kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()}) {
        for (const bool exact : {false, true}) {
            Alone worker(exact, {.factor = [&](std::int64_t step, std::uint32_t node) { return step == 1 && node == 1 ? poison : 1.0F; }});
            ASSERT_TRUE(worker.step());
            EXPECT_TRUE(std::isfinite(first_parameter(worker.state)));
            ASSERT_TRUE(worker.step());
            EXPECT_FALSE(std::isfinite(first_parameter(worker.state)));
        }
    }
}

// The exact sum is rounded once, the plain one at every addition.
TEST(TrainingStep, WithFixedPointIsTheOneWithoutButForRounding) {
    Alone exact(true);
    Alone plain(false);
    for (int step = 0; step < 20; ++step) {
        ASSERT_NEAR(exact.step()->loss, plain.step()->loss, 1e-4);
        ASSERT_NEAR(first_parameter(exact.state), first_parameter(plain.state), 1e-5);
    }
}

TEST(TrainingStep, OfNothingThatCountsHasNoLoss) {
    ControlVector control;
    EXPECT_EQ(control.mean_loss(), 0);
    control.add(3, 2);
    EXPECT_EQ(control.mean_loss(), 1.5);
}

}  // namespace
}  // namespace medley::executor
