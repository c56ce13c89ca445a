#include <gtest/gtest.h>

#include "simple_request.h"

namespace medley::planner {
namespace {

TEST(PlanReport, ComparesWithTheBestSingleTypeAndTheBestSingleSize) {
    SimpleRequest simple(12);
    simple.with("A", 1, {{1, 1}, {8, 4}}).with("B", 1, {{1, 1}, {4, 4}});
    const PlanReport report = plan_report(simple.request);
    EXPECT_DOUBLE_EQ(report.best.best->value, 4);        // 8 on A, 4 on B
    EXPECT_DOUBLE_EQ(report.baseline.best->value, 8);    // 8 + 4 x 1 on A
    EXPECT_DOUBLE_EQ(report.equal_size.best->value, 6);  // size 1, half and half
}

TEST(PlanReport, ValuesOneMoreGpuOfEachType) {
    SimpleRequest simple(12);
    simple.with("A", 2, {{1, 1}}).with("B", 1, {{1, 6}});
    const PlanReport report = plan_report(simple.request);
    EXPECT_DOUBLE_EQ(report.best.best->value, 6);
    ASSERT_EQ(report.marginals.size(), 2U);
    EXPECT_DOUBLE_EQ(report.marginals[0].throughput_gain, 12.0 / 4 - 12.0 / 6);
    EXPECT_DOUBLE_EQ(report.marginals[0].value_gain, 2);
    EXPECT_EQ(report.marginals[1].throughput_gain, 0);
    EXPECT_EQ(report.binding_constraint, "gpus:A");
}

TEST(PlanReport, NamesMemoryWhereItBinds) {
    SimpleRequest simple(64);
    simple.with("A", 4, {{1, 1}, {16, 2}});
    simple.type(0).memory = Bytes{8};
    EXPECT_EQ(plan_report(simple.request).binding_constraint, "memory:A");
}

TEST(PlanReport, NamesCommunicationWhereItBinds) {
    SimpleRequest simple(4);
    simple.with("A", 4, {{1, 1}});
    simple.request.communication = Communication::fixed(Seconds{5});
    EXPECT_EQ(plan_report(simple.request).binding_constraint, "communication");
}

TEST(PlanReport, NamesTheBatchRuleWhereItBinds) {
    SimpleRequest simple(30);
    simple.with("A", 8, {{1, 1}, {3, 3}});
    simple.request.batch_rule = BatchRule::kPowerOfTwo;
    // One batch for all: 5 x 6, also with nine GPUs; any batches: 6 x 4 + 2 x 3.
    const PlanReport report = plan_report(simple.request);
    EXPECT_DOUBLE_EQ(report.best.best->value, 6);
    EXPECT_EQ(report.binding_constraint, "batch-rule");
}

TEST(PlanReport, NamesTheSizesWhereTheyBind) {
    SimpleRequest simple(12);
    simple.with("A", 3, {{1, 1}, {8, 5}});
    // 4 x 1 on each take 4 s, 3 s with one more GPU; 4 samples at the rate of size 8 would take 2.5 s.
    const PlanReport report = plan_report(simple.request);
    EXPECT_DOUBLE_EQ(report.best.best->value, 4);
    EXPECT_EQ(report.binding_constraint, "profiled-sizes");
}

TEST(PlanReport, NamesTheExactBatchWhereItBinds) {
    SimpleRequest simple(7);
    simple.with("A", 2, {{1, 3}, {4, 4}});
    // 4 + 1 and 1 + 1 take 7 s, with a third GPU 6 s; 8 samples would be 4 and 4 in 4 s, and so would any sizes at the rate of 4.
    const PlanReport report = plan_report(simple.request);
    EXPECT_DOUBLE_EQ(report.best.best->value, 7);
    EXPECT_DOUBLE_EQ(report.marginals[0].value_gain, 1);
    EXPECT_EQ(report.binding_constraint, "exact-batch");
}

TEST(PlanReport, FindsNothingBindingAtTheCheapestRate) {
    SimpleRequest simple(16);
    simple.with("A", 4, {{4, 1}});
    simple.type(0).price_usd_per_hour = 1;
    simple.request.objective = Objective::kCost;
    EXPECT_EQ(plan_report(simple.request).binding_constraint, "none");
}

TEST(PlanReport, OfNoPlanSaysWhy) {
    SimpleRequest simple(7);
    simple.with("A", 2, {{2, 1}});
    const PlanReport report = plan_report(simple.request);
    EXPECT_FALSE(report.best.feasible());
    EXPECT_FALSE(report.baseline.feasible());
    EXPECT_FALSE(report.equal_size.feasible());
    EXPECT_FALSE(report.best.reason.empty());
    EXPECT_TRUE(report.marginals.empty());
}

}  // namespace
}  // namespace medley::planner
