#include <algorithm>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "simple_request.h"

namespace medley::planner {
namespace {

using ::testing::HasSubstr;

PlannedJob planned(const PlanRequest& request) {
    const PlanOutcome outcome = best_plan(request);
    EXPECT_TRUE(outcome.feasible()) << outcome.reason;
    EXPECT_TRUE(outcome.best->optimal);
    return *outcome.best;
}

TEST(Planner, MixesSizesOnOneGpu) {
    SimpleRequest simple(11);
    simple.with("A", 1, {{1, 1}, {2, 1.5}, {8, 4}});
    const PlannedJob job = planned(simple.request);
    EXPECT_EQ(job.plan.groups.at(0).virtual_nodes, (std::vector<Samples>{Samples{8}, Samples{2}, Samples{1}}));
    EXPECT_DOUBLE_EQ(job.cost.step.value, 6.5);
}

TEST(Planner, GivesUnequalBatchesWithinATypeWhereTheSumNeedsIt) {
    SimpleRequest simple(5);
    simple.with("A", 2, {{1, 1}, {3, 2}});
    const PlannedJob job = planned(simple.request);
    ASSERT_EQ(job.plan.groups.size(), 2U);
    EXPECT_EQ(job.plan.groups[0].batch_per_replica(), Samples{3});
    EXPECT_EQ(job.plan.groups[1].batch_per_replica(), Samples{2});
    EXPECT_DOUBLE_EQ(job.cost.step.value, 2);
}

TEST(Planner, TreatsMemoryAsAHardLimit) {
    SimpleRequest simple(8);
    simple.with("A", 1, {{2, 1}, {8, 2}});
    simple.profile->state = Bytes{10};
    simple.type(0).memory = Bytes{18};
    EXPECT_DOUBLE_EQ(planned(simple.request).cost.step.value, 2);
    simple.type(0).memory = Bytes{17};
    EXPECT_DOUBLE_EQ(planned(simple.request).cost.step.value, 4);
    simple.type(0).memory = Bytes{11};
    EXPECT_THAT(best_plan(simple.request).reason, HasSubstr("A lacks memory"));
}

TEST(Planner, ReservesMemoryForExactSummation) {
    SimpleRequest simple(8);
    simple.with("A", 1, {{2, 1}, {8, 2}});
    simple.profile->parameters = 1;
    simple.type(0).memory = Bytes{15};  // 8 for the accumulator, so activations of 7 at most
    EXPECT_DOUBLE_EQ(planned(simple.request).cost.step.value, 2);
    simple.request.exact = true;
    EXPECT_DOUBLE_EQ(planned(simple.request).cost.step.value, 4);
}

TEST(Planner, UsesFewerGpusWhereMoreDoNotHelp) {
    SimpleRequest simple(8);
    simple.with("A", 5, {{4, 1}});
    EXPECT_EQ(planned(simple.request).plan.gpus(), 2);
}

TEST(Planner, PrefersTheFastestOfEquallyCheapPlans) {
    SimpleRequest simple(64);
    simple.with("A", 16, {{4, 1}});
    simple.type(0).price_usd_per_hour = 3.6;
    simple.request.objective = Objective::kCost;
    const PlannedJob job = planned(simple.request);
    EXPECT_EQ(job.plan.gpus(), 16);
    EXPECT_DOUBLE_EQ(job.value, 16 * 0.001);
}

TEST(Planner, PaysForCommunicationWithFewerGpus) {
    SimpleRequest simple(64);
    simple.with("A", 16, {{4, 1}});
    simple.type(0).power_w = 100;
    simple.request.objective = Objective::kEnergy;
    simple.request.communication = Communication::fixed(Seconds{1});
    const PlannedJob job = planned(simple.request);
    EXPECT_EQ(job.plan.gpus(), 1);
    EXPECT_DOUBLE_EQ(job.cost.joules_per_sample.value(), 100 * 17.0 / 64);
}

TEST(Planner, WeighsTheNetworkAgainstMoreGpus) {
    Cluster cluster{.name = "c"};
    cluster.gpu_types = {GpuType{.name = Name("A")}};
    cluster.nodes = {NodeGroup{
        .name = "n", .count = 2, .gpu = GpuTypeId(0), .gpus = 2, .intra = Link{.bandwidth = BytesPerSecond{10}, .latency = Seconds{0}}}};
    cluster.network = {NetworkLevel{.name = "top", .nodes = {}, .link = {.bandwidth = BytesPerSecond{1}, .latency = Seconds{0}}}};
    SimpleRequest simple(8);
    simple.with("A", 4, {{1, 1}});
    simple.request.communication = Communication::over(cluster, Bytes{1});
    // 4 GPUs: 2 s + 2 x 3/4; 2 GPUs of one node: 4 s + 0.1.
    EXPECT_DOUBLE_EQ(planned(simple.request).cost.step.value, 3.5);
    simple.request.communication = Communication::over(cluster, Bytes{2});
    // 4 GPUs: 2 s + 3 s; 2 GPUs: 4 s + 0.2.
    EXPECT_DOUBLE_EQ(planned(simple.request).cost.step.value, 4.2);
}

TEST(Planner, DoesNotDependOnTheOrderOfTheOffer) {
    SimpleRequest simple(37);
    simple.with("A", 3, {{1, 1}, {4, 2}}).with("B", 2, {{1, 1}, {4, 2}}).with("C", 2, {{3, 1.7}, {5, 2.1}});
    const PlannedJob forward = planned(simple.request);
    std::reverse(simple.request.offered.begin(), simple.request.offered.end());
    PlannedJob backward = planned(simple.request);
    EXPECT_EQ(forward.value, backward.value);
    std::map<Name, std::vector<std::pair<int, std::vector<Samples>>>> groups[2];
    for (const ReplicaGroup& group : forward.plan.groups) { groups[0][group.gpu_type].emplace_back(group.replicas, group.virtual_nodes); }
    for (const ReplicaGroup& group : backward.plan.groups) { groups[1][group.gpu_type].emplace_back(group.replicas, group.virtual_nodes); }
    EXPECT_EQ(groups[0], groups[1]);
}

TEST(Planner, UsesEveryTypeOnlyIfTold) {
    SimpleRequest simple(8);
    simple.with("A", 1, {{4, 0.9}, {8, 1}}).with("B", 1, {{4, 7}});
    EXPECT_EQ(planned(simple.request).plan.groups.size(), 1U);
    simple.request.every_type = true;
    EXPECT_DOUBLE_EQ(planned(simple.request).cost.step.value, 7);
    simple.request.batch_rule = BatchRule::kPowerOfTwo;
    EXPECT_DOUBLE_EQ(planned(simple.request).cost.step.value, 7);
}

TEST(Planner, SaysWhyThereIsNoPlan) {
    SimpleRequest odd(7);
    odd.with("A", 2, {{2, 1}, {4, 1}});
    EXPECT_EQ(best_plan(odd.request).reason, "the global batch of 7 is no multiple of 2, as all profiled sizes are");
    SimpleRequest gap(7);
    gap.with("A", 2, {{3, 1}, {5, 1}});
    EXPECT_THAT(best_plan(gap.request).reason, HasSubstr("adds up to the global batch of 7"));
    SimpleRequest unknown(7);
    unknown.with("A", 2, {{1, 1}});
    unknown.type(0).name = Name("Z");
    EXPECT_THAT(best_plan(unknown.request).reason, HasSubstr("Z is not in the profile"));
}

TEST(Planner, RefusesWrongInput) {
    SimpleRequest nothing(4);
    EXPECT_THROW(best_plan(nothing.request), Error);
    SimpleRequest no_batch(0);
    no_batch.with("A", 1, {{1, 1}});
    EXPECT_THROW(best_plan(no_batch.request), Error);
    SimpleRequest no_price(4);
    no_price.with("A", 1, {{1, 1}});
    no_price.request.objective = Objective::kCost;
    EXPECT_THROW(best_plan(no_price.request), Error);
    SimpleRequest twice(4);
    twice.with("A", 1, {{1, 1}});
    twice.request.offered.push_back(twice.request.offered.front());
    EXPECT_THROW(best_plan(twice.request), Error);
}

TEST(PowerOfTwo, AllowsOneBatchForAllGpusOfAType) {
    SimpleRequest simple(20);
    simple.with("A", 3, {{1, 1}, {4, 1}});
    simple.request.batch_rule = BatchRule::kPowerOfTwo;
    // 20 = n x b with b = 2^k or 3 x 2^k: n = 5 at least.
    EXPECT_FALSE(best_plan(simple.request).feasible());
    simple.request.offered[0].gpus = 5;
    const PlannedJob job = planned(simple.request);
    EXPECT_EQ(job.plan.groups.at(0).replicas, 5);
    EXPECT_EQ(job.plan.groups.at(0).virtual_nodes, std::vector<Samples>{Samples{4}});
}

}  // namespace
}  // namespace medley::planner
