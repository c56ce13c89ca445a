#include <cstring>
#include <filesystem>

#include <gtest/gtest.h>

#include "executor/data/npy_file.h"
#include "executor/engines/emulated/emulated_numbers.h"
#include "executor/training/inference_step.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/worker_threads.h"

namespace medley::executor {
namespace {

using test::by_count;
using test::PlannedFault;
using test::WorkerThreads;

constexpr std::int64_t kSamples = 37;  // two batches of 16, and five left over

class Inference : public testing::Test {
 protected:
    RunSetup setup() const {
        return {.job = {.model = EmulatedModel{}, .data = SyntheticData{.samples = kSamples}, .seed = 3},
                .virtual_nodes = {2, 2, 1, 3, 2, 2, 1, 3},
                .mode = Mode::kInference,
                .directory = folder_.path().string()};
    }

    void expect_outputs() const {
        const NpyFile file(outputs_path(folder_.path()).string());
        EXPECT_EQ(file.header().shape, (std::vector<std::int64_t>{kSamples, 1}));
        for (std::int64_t sample = 0; sample < kSamples; ++sample) {
            EXPECT_EQ(static_cast<float>(file.real(sample)), static_cast<float>(emulated_output(3, sample))) << sample;
        }
        EXPECT_EQ(folder_.entries(), 1U);
    }

    test::TemporaryFolder folder_;
};

TEST(InferenceSteps, CoverTheDataOnce) {
    EXPECT_EQ(inference_steps(37, 16), 3);
    EXPECT_EQ(inference_steps(32, 16), 2);
    EXPECT_EQ(inference_steps(1, 16), 1);
}

TEST_F(Inference, WritesEachSamplesOutputInTheOrderOfTheInputsWhateverTheMapping) {
    for (const std::vector<int>& counts : {std::vector{8}, {4, 2, 2}, {1, 1, 6}, {2, 2, 2, 2}}) {
        std::filesystem::remove(outputs_path(folder_.path()));
        WorkerThreads workers(setup());
        std::vector<WorkerNumber> members;
        for (WorkerNumber worker = 0; worker < counts.size(); ++worker) { members.push_back(worker); }
        for (const Stopped& one : workers.run({.members = members, .virtual_nodes = by_count(counts)})) {
            EXPECT_EQ(one.cause, StopCause::kFinished) << one.detail;
            EXPECT_EQ(one.step, 3);
        }
        expect_outputs();
    }
}

TEST_F(Inference, IsUnharmedByALossAnywhere) {
    for (std::int64_t call = 0; call < 8; ++call) {
        for (int rank = 0; rank < 2; ++rank) {
            for (const auto kind : {PlannedFault::Kind::kVanishes, PlannedFault::Kind::kLosesLast}) {
                std::filesystem::remove(outputs_path(folder_.path()));
                WorkerThreads workers(setup());
                workers.run({.members = {1, 2, 3}, .virtual_nodes = by_count({4, 2, 2}), .faults = {{call, rank, kind}}});
                workers.drop(rank == 0 ? 1 : 2);
                const auto stopped = workers.run({.members = {3, rank == 0 ? 2U : 1U}, .virtual_nodes = by_count({3, 5})});
                for (const Stopped& one : stopped) { EXPECT_EQ(one.cause, StopCause::kFinished) << one.detail; }
                expect_outputs();
            }
        }
    }
}

TEST(OutputFile, TakesRowsInAnyOrderAndMoreThanOnce) {
    const test::TemporaryFolder folder;
    const float rows[] = {1, 2, 3, 4, 5, 6};
    const auto part = [&](std::size_t first, std::size_t count) {
        return std::string_view(reinterpret_cast<const char*>(rows + 2 * first), 8 * count);
    };
    {
        OutputFile begun(folder.path(), NpyType::kFloat32, {3, 2});
        begun.write(2, part(2, 1));
    }
    EXPECT_FALSE(std::filesystem::exists(outputs_path(folder.path())));
    OutputFile file(folder.path(), NpyType::kFloat32, {3, 2});
    file.write(1, part(1, 1));
    file.write(0, part(0, 2));
    file.finish();
    const NpyFile read(outputs_path(folder.path()).string());
    for (std::int64_t index = 0; index < 6; ++index) { EXPECT_EQ(read.real(index), index + 1); }
}

}  // namespace
}  // namespace medley::executor
