// Infinities and NaN are carried on, or skip the step under dynamic loss scaling; they are never turned into numbers.

#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include "tests/unit/engines_torch/torch_group.h"

namespace medley::executor {
namespace {

constexpr float kInfinite = std::numeric_limits<float>::infinity();

GroupSetup group_of(bool exact, double loss_scale, const Mapping& mapping = {{0, 1}, {2}}) {
    TrainingJob job = mlp_job();
    job.loss_scale = loss_scale;
    GroupSetup setup = torch_group(job, {4, 4, 4});
    setup.mapping = mapping;
    setup.exact = exact;
    return setup;
}

std::span<float> parameters_of(Engine& engine) {
    const std::span<std::byte> bytes = engine.state().front().bytes;
    return {reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)};
}

// Makes every loss and gradient NaN or infinite.
void poison(EngineGroup& group, std::size_t workers, float value) {
    for (std::size_t worker = 0; worker < workers; ++worker) {
        parameters_of(group.engine(worker))[0] = value;
        group.engine(worker).state_changed();
    }
}

class NotFinite : public testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(Sums, NotFinite, testing::Bool(), [](const auto& test) { return test.param ? "exact" : "plain"; });

TEST_P(NotFinite, GradientsReachTheParametersOfEveryWorker) {
    EngineGroup group(group_of(GetParam(), 1));
    group.run_step();
    poison(group, 2, kInfinite);
    group.run_step();
    for (std::size_t worker = 0; worker < 2; ++worker) {
        std::size_t spoilt = 0;
        for (const float value : parameters_of(group.engine(worker))) { spoilt += std::isnan(value) ? 1U : 0U; }
        EXPECT_GT(spoilt, 100U);
    }
    EXPECT_TRUE(group.state(0) == group.state(1));
}

TEST_P(NotFinite, StepsAreSkippedUnderDynamicScaling) {
    EngineGroup group(group_of(GetParam(), 0));
    group.run_step();
    poison(group, 2, kInfinite);
    const std::string before = group.state();
    const std::int64_t weight = group.sum_nodes();
    EXPECT_TRUE(group.engine().apply(weight).skipped);
    const std::string after = group.state();
    constexpr std::size_t kUpdateState = 24;
    EXPECT_TRUE(before.substr(0, before.size() - kUpdateState) == after.substr(0, after.size() - kUpdateState));
    double scale = 0;
    std::memcpy(&scale, after.data() + after.size() - kUpdateState, sizeof scale);
    EXPECT_EQ(scale, 32768);
}

TEST(NotFinite, AnyMappingGivesTheSameBits) {
    const auto state_with = [](const Mapping& mapping) {
        EngineGroup group(group_of(true, 1, mapping));
        group.run_step();
        poison(group, mapping.size(), 3e38F);
        group.run_steps(2);
        return group.state();
    };
    EXPECT_TRUE(state_with({{0, 1, 2}}) == state_with({{2}, {0}, {1}}));
}

}  // namespace
}  // namespace medley::executor
