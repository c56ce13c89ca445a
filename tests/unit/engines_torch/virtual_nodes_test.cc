// The number of virtual nodes that a batch is cut into does not change what is learned.

#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include "tests/unit/engines_torch/torch_group.h"

namespace medley::executor {
namespace {

constexpr std::int64_t kBatch = 32;
constexpr int kSteps = 100;

std::vector<double> losses_of(const TrainingJob& job, std::int64_t count, bool exact) {
    GroupSetup setup = torch_group(job, std::vector<std::int64_t>(static_cast<std::size_t>(count), kBatch / count));
    setup.exact = exact;
    return EngineGroup(setup).run_steps(kSteps);
}

double largest_difference(const std::vector<double>& losses, const std::vector<double>& expected) {
    double largest = 0;
    for (std::size_t i = 0; i < losses.size(); ++i) { largest = std::max(largest, std::abs(losses[i] / expected[i] - 1)); }
    return largest;
}

// Many small virtual nodes of a transformer take long.
std::vector<std::int64_t> counts_for(const TrainingJob& job) {
    const bool quick = std::getenv("MEDLEY_LONG") == nullptr && job.name == "gpt";
    return quick ? std::vector<std::int64_t>{4} : std::vector<std::int64_t>{2, 4, 8, 32};
}

class VirtualNodes : public testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(Sums, VirtualNodes, testing::Bool(), [](const auto& test) { return test.param ? "exact" : "plain"; });

TEST_P(VirtualNodes, AnyNumberOfThemGivesTheSameLosses) {
    for (const TrainingJob& job : {mlp_job(), gpt_job()}) {
        const std::vector<double> whole = losses_of(job, 1, GetParam());
        EXPECT_LT(whole.back(), 0.8 * whole.front());
        for (const std::int64_t count : counts_for(job)) {
            EXPECT_LE(largest_difference(losses_of(job, count, GetParam()), whole), 1e-5) << job.name << ", " << count << " virtual nodes";
        }
    }
}

TEST(VirtualNodes, ExactSumsDoNotChangeWhatIsLearned) {
    EXPECT_LE(largest_difference(losses_of(mlp_job(), 4, true), losses_of(mlp_job(), 4, false)), 1e-5);
}

}  // namespace
}  // namespace medley::executor
