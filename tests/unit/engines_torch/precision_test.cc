#include <cmath>

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/unit/engines_torch/torch_group.h"

namespace medley::executor {
namespace {

TrainingJob cnn_job() {
    return {.model = CnnModel{.channels = 1, .size = 8, .filters = {4, 8}, .classes = 3},
            .data = SyntheticData{.samples = 256},
            .optimizer = {.learning_rate = 0.05, .momentum = 0.9},
            .seed = 1};
}

TEST(Precision, EachOneLearns) {
    for (const Precision precision : {Precision::kFp32, Precision::kFp64, Precision::kBf16}) {
        for (TrainingJob job : {mlp_job(), gpt_job(), cnn_job()}) {
            job.precision = precision;
            const std::vector<double> losses = EngineGroup(torch_group(job, {16, 16})).run_steps(30);
            EXPECT_LT(losses.back(), 0.95 * losses.front()) << job.name;
        }
    }
}

TEST(Precision, Bf16ComputesDifferentlyFromFp32ButNotMuch) {
    const double full = EngineGroup(torch_group(mlp_job(), {16})).run_step();
    const double low = EngineGroup(torch_group(mlp_job(Precision::kBf16), {16})).run_step();
    EXPECT_NE(low, full);
    EXPECT_NEAR(low, full, 0.02);
}

TEST(Precision, Fp64HasStateAndReductionInDouble) {
    EngineGroup group(torch_group(mlp_job(Precision::kFp64), {16}));
    group.sum_nodes();
    EXPECT_EQ(group.engine().reduction().type, ElementType::kFloat64);
}

TEST(Precision, Fp16OnAProcessorIsRefused) {
    EXPECT_THROW(make_linked_engine({.job = mlp_job(Precision::kFp16), .virtual_nodes = {4}}), Error);
}

// A power of two changes no bit of a float that neither overflows nor becomes denormal.
TEST(LossScaling, ByAPowerOfTwoChangesNothingInFp32) {
    TrainingJob scaled = mlp_job();
    scaled.loss_scale = 1024;
    EXPECT_EQ(EngineGroup(torch_group(scaled, {8, 8})).run_steps(20), EngineGroup(torch_group(mlp_job(), {8, 8})).run_steps(20));
}

TEST(LossScaling, IsPartOfTheState) {
    TrainingJob job = mlp_job();
    job.loss_scale = 0;
    EngineGroup first(torch_group(job, {8, 8}));
    EngineGroup second(torch_group(mlp_job(), {8, 8}));
    EXPECT_NE(first.state() == second.state(), true);
}

TEST(Losses, MeanSquaredErrorFalls) {
    TrainingJob job = mlp_job();
    job.loss = LossKind::kMeanSquaredError;
    const std::vector<double> losses = EngineGroup(torch_group(job, {16, 16})).run_steps(60);
    EXPECT_LT(losses.back(), 0.5 * losses.front());
}

TEST(Schedules, ReachTheUpdate) {
    TrainingJob job = mlp_job();
    job.schedule = {.warmup_steps = 10};
    EngineGroup slow(torch_group(job, {16}));
    EngineGroup fast(torch_group(mlp_job(), {16}));
    EXPECT_EQ(slow.run_step(), fast.run_step());
    EXPECT_NE(slow.run_step(), fast.run_step());
}

}  // namespace
}  // namespace medley::executor
