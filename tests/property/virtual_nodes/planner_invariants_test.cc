#include <gtest/gtest.h>

#include "cost/memory.h"
#include "random_request.h"

namespace medley::planner {
namespace {

constexpr int kLargeSeeds = 5;
constexpr double kRounding = 1 + 1e-9;

void expect_within_offer_and_memory(const PlanRequest& request, const PlannedJob& job) {
    job.plan.validate();  // the sizes add up to the global batch
    EXPECT_EQ(job.plan.global_batch, request.global_batch);
    for (const TypeCount& used : counts_of(job.plan)) {
        const auto offered = std::find_if(request.offered.begin(), request.offered.end(),
                                          [&](const OfferedGpus& offer) { return offer.type.name == used.type; });
        ASSERT_NE(offered, request.offered.end());
        EXPECT_LE(used.gpus, offered->gpus);
    }
    for (const ReplicaGroup& group : job.plan.groups) {
        const auto offered = std::find_if(request.offered.begin(), request.offered.end(),
                                          [&](const OfferedGpus& offer) { return offer.type.name == group.gpu_type; });
        for (const Samples size : group.virtual_nodes) {
            const ProfilePoint& point = profiled_point(*request.profile->find(group.gpu_type), size);
            EXPECT_TRUE(fits(point, offered->type, resident_memory(*request.profile, request.exact)));
        }
    }
}

double value_or_never(const PlanOutcome& outcome) {
    return outcome.feasible() ? outcome.best->value : std::numeric_limits<double>::infinity();
}

void expect_no_loss_from_more(const RandomRequest& random, double value) {
    for (std::size_t type = 0; type < random.request.offered.size(); ++type) {
        PlanRequest more = random.request;
        ++more.offered[type].gpus;
        EXPECT_LE(value_or_never(best_plan(more)), value * kRounding);
    }
    Profile faster = *random.profile;
    for (auto& [name, gpu] : faster.gpus) {
        for (ProfilePoint& point : gpu.points) { point.seconds = point.seconds * 0.9; }
    }
    PlanRequest request = random.request;
    request.profile = &faster;
    EXPECT_LE(value_or_never(best_plan(request)), value * kRounding);
}

class LargeRequests : public ::testing::TestWithParam<int> {};

TEST_P(LargeRequests, HoldTheInvariantsOfThePlanner) {
    Rng rng = Rng(static_cast<std::uint64_t>(GetParam())).fork("large requests");
    int feasible = 0;
    int proved = 0;
    for (int count = instances(10'000, 60) / kLargeSeeds; count > 0; --count) {
        const RandomRequest random = large_request(rng);
        SCOPED_TRACE(describe(random.request));
        const PlanReport report = plan_report(random.request);
        if (!report.best.feasible()) {
            EXPECT_FALSE(report.best.reason.empty());
            EXPECT_FALSE(report.baseline.feasible());
            continue;
        }
        const PlannedJob& job = *report.best.best;
        ++feasible;
        proved += job.optimal ? 1 : 0;
        expect_within_offer_and_memory(random.request, job);
        EXPECT_LE(job.bound, job.value * kRounding);
        EXPECT_LE(job.value, value_or_never(report.baseline) * kRounding);
        EXPECT_LE(job.value, value_or_never(report.equal_size) * kRounding);
        for (const MarginalValue& marginal : report.marginals) { EXPECT_GE(marginal.value_gain, 0); }
        if (job.optimal) { expect_no_loss_from_more(random, job.value); }
        if (HasFailure()) { return; }
    }
    EXPECT_GT(feasible, 0);
    // The rest say so themselves; they must stay rare.
    EXPECT_GE(proved, feasible * 99 / 100);
}

INSTANTIATE_TEST_SUITE_P(Seeds, LargeRequests, ::testing::Range(0, kLargeSeeds));

}  // namespace
}  // namespace medley::planner
