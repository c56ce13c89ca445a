// The most bytes of tensors alive at once depend on the size of virtual nodes, not on their number.

#include <numeric>

#include <gtest/gtest.h>

#include <ATen/ops/empty.h>

#include "executor/engines/torch/devices.h"
#include "executor/engines/torch/live_bytes.h"
#include "tests/unit/engines_torch/plain_loop.h"
#include "tests/unit/engines_torch/torch_group.h"

namespace medley::executor {
namespace {

constexpr std::int64_t kNodeSize = 4;
constexpr int kMeasuredSteps = 2;

TrainingJob wide_mlp() {
    TrainingJob job = mlp_job();
    job.model = MlpModel{.inputs = 256, .hidden = {512, 512}, .outputs = 10};
    return job;
}

TrainingJob small_cnn() {
    TrainingJob job = mlp_job();
    job.model = CnnModel{.channels = 3, .size = 32, .filters = {16, 32}, .classes = 10};
    return job;
}

TrainingJob middling_gpt() {
    TrainingJob job = gpt_job();
    job.model = GptModel{.vocabulary = 256, .sequence = 32, .layers = 2, .hidden = 64, .heads = 4};
    return job;
}

std::int64_t peak_of_engine(const TrainingJob& job, std::size_t count, bool exact) {
    const std::int64_t before = live_host_tensor_bytes();
    GroupSetup setup = torch_group(job, std::vector<std::int64_t>(count, kNodeSize));
    setup.exact = exact;
    EngineGroup group(setup);
    group.run_step();  // gradients and slots exist from the first step on
    group.engine().take_peak_bytes();
    group.run_steps(kMeasuredSteps);
    return group.engine().take_peak_bytes() - before;
}

std::int64_t peak_of_plain_loop(const TrainingJob& job) {
    const std::int64_t before = live_host_tensor_bytes();
    std::vector<std::int64_t> samples(kNodeSize);
    std::iota(samples.begin(), samples.end(), 0);
    PlainLoop loop(job);
    loop.step(samples);
    take_peak_tensor_bytes(c10::Device("cpu"));
    for (int i = 0; i < kMeasuredSteps; ++i) { loop.step(samples); }
    return take_peak_tensor_bytes(c10::Device("cpu")) - before;
}

class Memory : public testing::TestWithParam<const char*> {
 protected:
    Memory() {
        configure_torch();
        const std::string name = GetParam();
        job_ = name == "mlp" ? wide_mlp() : name == "cnn" ? small_cnn() : middling_gpt();
    }
    TrainingJob job_;
};

INSTANTIATE_TEST_SUITE_P(Models, Memory, testing::Values("mlp", "cnn", "gpt"), [](const auto& test) { return test.param; });

TEST_P(Memory, IsFlatInTheNumberOfVirtualNodes) {
    for (const bool exact : {false, true}) {
        const double two = static_cast<double>(peak_of_engine(job_, 2, exact));
        for (const std::size_t count : {4U, 8U, 16U, 32U}) {
            EXPECT_NEAR(static_cast<double>(peak_of_engine(job_, count, exact)) / two, 1, 0.01) << count << " virtual nodes";
        }
    }
}

TEST_P(Memory, IsAtMostOneGradientBufferAboveAPlainLoop) {
    const double plain = static_cast<double>(peak_of_plain_loop(job_));
    const double parameters = static_cast<double>(PlainLoop(job_).parameter_bytes());
    EXPECT_LE(static_cast<double>(peak_of_engine(job_, 8, false)), plain + 1.1 * parameters + 0.02 * plain);
    RecordProperty("plain_bytes", static_cast<int>(plain));
    RecordProperty("engine_bytes", static_cast<int>(peak_of_engine(job_, 8, false)));
}

// Negative control: a larger virtual node shows.
TEST_P(Memory, GrowsWithTheSizeOfAVirtualNode) {
    EngineGroup group(torch_group(job_, {64 * kNodeSize, 64 * kNodeSize}));
    const std::int64_t before = live_host_tensor_bytes();
    group.engine().take_peak_bytes();
    group.run_steps(2);
    const double activations = static_cast<double>(group.engine().take_peak_bytes() - before);
    EngineGroup small(torch_group(job_, {kNodeSize, kNodeSize}));
    const std::int64_t small_before = live_host_tensor_bytes();
    small.engine().take_peak_bytes();
    small.run_steps(2);
    EXPECT_GT(activations, 1.5 * static_cast<double>(small.engine().take_peak_bytes() - small_before));
}

TEST(LiveBytes, CountsTensorsAsTheyComeAndGo) {
    configure_torch();
    const std::int64_t before = live_host_tensor_bytes();
    take_peak_tensor_bytes(c10::Device("cpu"));
    {
        const at::Tensor tensor = at::empty({1000, 1000}, at::kFloat);
        EXPECT_NEAR(static_cast<double>(live_host_tensor_bytes() - before), 4e6, 8192);
    }
    EXPECT_EQ(live_host_tensor_bytes(), before);
    EXPECT_NEAR(static_cast<double>(take_peak_tensor_bytes(c10::Device("cpu")) - before), 4e6, 8192);
    EXPECT_EQ(take_peak_tensor_bytes(c10::Device("cpu")), before);
}

}  // namespace
}  // namespace medley::executor
