#include <gtest/gtest.h>

#include "enumeration.h"
#include "random_request.h"

namespace medley::planner {
namespace {

constexpr int kSeeds = 5;
constexpr int kInstances = 10'000;

void expect_equal_to_enumeration(const PlanRequest& request) {
    const std::optional<double> expected = enumerate_best(request);
    const PlanOutcome outcome = best_plan(request);
    ASSERT_EQ(outcome.feasible(), expected.has_value()) << outcome.reason;
    if (!expected) { return; }
    const PlannedJob& job = *outcome.best;
    EXPECT_TRUE(job.optimal);
    EXPECT_NEAR(job.value, *expected, 1e-9 * *expected);
    EXPECT_LE(job.bound, job.value);
    job.plan.validate();
}

class SmallRequests : public ::testing::TestWithParam<int> {};

TEST_P(SmallRequests, ArePlannedAsWellAsByTryingEverything) {
    Rng rng = Rng(static_cast<std::uint64_t>(GetParam())).fork("small requests");
    for (int count = kInstances / kSeeds; count > 0; --count) {
        const RandomRequest random = small_request(rng);
        SCOPED_TRACE(describe(random.request));
        expect_equal_to_enumeration(random.request);
        if (HasFailure()) { return; }
    }
}

TEST_P(SmallRequests, WithGivenVirtualNodesArePlacedAsWellAsByTryingEverything) {
    Rng rng = Rng(static_cast<std::uint64_t>(GetParam())).fork("small lists");
    for (int count = kInstances / kSeeds; count > 0; --count) {
        const RandomRequest random = small_list_request(rng);
        SCOPED_TRACE(describe(random.request));
        expect_equal_to_enumeration(random.request);
        if (HasFailure()) { return; }
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, SmallRequests, ::testing::Range(0, kSeeds));

}  // namespace
}  // namespace medley::planner
