#include "cost/plan_cost.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "cost/price.h"

namespace medley {
namespace {

Profile two_types() {
    Profile profile{.model = Name("m")};
    profile.gpus[Name("A")].points = {ProfilePoint{.batch = Samples{2}, .seconds = Seconds{1}, .memory = Bytes{7}},
                                      ProfilePoint{.batch = Samples{4}, .seconds = Seconds{1.5}, .memory = Bytes{8}}};
    profile.gpus[Name("B")].points = {ProfilePoint{.batch = Samples{2}, .seconds = Seconds{3}, .memory = std::nullopt}};
    return profile;
}

Plan mixed_plan() {
    return Plan{.model = Name("m"),
                .global_batch = Samples{22},
                .groups = {ReplicaGroup{.gpu_type = Name("A"), .replicas = 2, .virtual_nodes = {Samples{4}, Samples{4}, Samples{2}}},
                           ReplicaGroup{.gpu_type = Name("B"), .replicas = 1, .virtual_nodes = {Samples{2}}}}};
}

std::vector<GpuType> priced_types() {
    return {GpuType{.name = Name("A"), .price_usd_per_hour = 3.6, .power_w = 300},
            GpuType{.name = Name("B"), .price_usd_per_hour = 0.72, .power_w = 100}};
}

TEST(PlanCost, IsTheSlowestGpuAndTheCommunication) {
    const PlanCost cost = evaluate(mixed_plan(), two_types(), priced_types(), Communication::fixed(Seconds{0.5}));
    EXPECT_DOUBLE_EQ(cost.groups[0].compute.value, 1.5 + 1.5 + 1);
    EXPECT_DOUBLE_EQ(cost.groups[1].compute.value, 3);
    EXPECT_DOUBLE_EQ(cost.compute.value, 4);
    EXPECT_DOUBLE_EQ(cost.step.value, 4.5);
    EXPECT_DOUBLE_EQ(cost.samples_per_s, 22 / 4.5);
    EXPECT_EQ(cost.groups[0].memory, Bytes{8});
    EXPECT_EQ(cost.groups[1].memory, std::nullopt);
}

TEST(PlanCost, ChargesEveryGpuForTheWholeStep) {
    const PlanCost cost = evaluate(mixed_plan(), two_types(), priced_types(), Communication::fixed(Seconds{0.5}));
    EXPECT_DOUBLE_EQ(cost.usd_per_million_samples.value(), (2 * 3.6 + 0.72) / 3600 * 4.5 / 22 * 1e6);
    EXPECT_DOUBLE_EQ(cost.joules_per_sample.value(), (2 * 300 + 100) * 4.5 / 22);
}

TEST(PlanCost, HasNoPriceWhereOneIsUnknown) {
    std::vector<GpuType> types = priced_types();
    types[1].price_usd_per_hour.reset();
    const PlanCost cost = evaluate(mixed_plan(), two_types(), types, Communication());
    EXPECT_FALSE(cost.usd_per_million_samples);
    EXPECT_TRUE(cost.joules_per_sample);
    EXPECT_FALSE(evaluate(mixed_plan(), two_types(), {}, Communication()).joules_per_sample);
}

TEST(PlanCost, RefusesWhatTheProfileDoesNotHold) {
    Plan plan = mixed_plan();
    plan.groups[1].virtual_nodes = {Samples{3}};
    EXPECT_THROW(evaluate(plan, two_types(), {}, Communication()), Error);
    plan = mixed_plan();
    plan.groups[1].gpu_type = Name("C");
    EXPECT_THROW(evaluate(plan, two_types(), {}, Communication()), Error);
    plan = mixed_plan();
    plan.groups[0].tensor = 2;
    EXPECT_THROW(evaluate(plan, two_types(), {}, Communication()), Error);
}

TEST(PlanCost, CountsAUsedTypeOnceAndIgnoresAnUnusedOne) {
    Plan plan = mixed_plan();
    plan.groups.push_back(ReplicaGroup{.gpu_type = Name("A"), .replicas = 3, .virtual_nodes = {Samples{2}}});
    const std::vector<TypeCount> counts = counts_of(plan);
    ASSERT_EQ(counts.size(), 2U);
    EXPECT_EQ(counts[0].gpus, 5);
    EXPECT_DOUBLE_EQ(usd_per_second(std::vector<TypeCount>{{Name("A"), 2}, {Name("unknown"), 0}}, priced_types()).value(), 2 * 3.6 / 3600);
}

}  // namespace
}  // namespace medley
