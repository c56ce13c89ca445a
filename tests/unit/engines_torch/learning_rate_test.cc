#include <gtest/gtest.h>

#include "executor/engines/torch/learning_rate.h"

namespace medley::executor {
namespace {

TrainingJob job_with(const ScheduleSpec& schedule) { return {.optimizer = {.learning_rate = 2}, .schedule = schedule, .steps = 11}; }

TEST(LearningRate, IsConstantUnlessAsked) {
    for (const std::int64_t step : {0, 5, 10, 100}) { EXPECT_DOUBLE_EQ(learning_rate(job_with({}), step), 2); }
}

TEST(LearningRate, WarmsUpInEqualSteps) {
    const TrainingJob job = job_with({.warmup_steps = 4});
    EXPECT_DOUBLE_EQ(learning_rate(job, 0), 0.5);
    EXPECT_DOUBLE_EQ(learning_rate(job, 3), 2);
    EXPECT_DOUBLE_EQ(learning_rate(job, 4), 2);
}

TEST(LearningRate, FallsInALineToItsFinalFractionAtTheLastStep) {
    const TrainingJob job = job_with({.kind = ScheduleKind::kLinear, .final_fraction = 0.5});
    EXPECT_DOUBLE_EQ(learning_rate(job, 0), 2);
    EXPECT_DOUBLE_EQ(learning_rate(job, 5), 1.5);
    EXPECT_DOUBLE_EQ(learning_rate(job, 10), 1);
    EXPECT_DOUBLE_EQ(learning_rate(job, 20), 1);
}

TEST(LearningRate, FallsAsHalfACosineAfterWarmUp) {
    const TrainingJob job = job_with({.kind = ScheduleKind::kCosine, .warmup_steps = 2});
    EXPECT_DOUBLE_EQ(learning_rate(job, 1), 2);
    EXPECT_DOUBLE_EQ(learning_rate(job, 2), 2);
    EXPECT_NEAR(learning_rate(job, 6), 1, 1e-12);
    EXPECT_NEAR(learning_rate(job, 10), 0, 1e-12);
}

}  // namespace
}  // namespace medley::executor
