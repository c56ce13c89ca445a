#include <gtest/gtest.h>

#include "core/error.h"
#include "simple_request.h"

namespace medley::planner {
namespace {

TEST(GivenVirtualNodes, OfOneSizeAreDealtOutBySpeed) {
    SimpleRequest simple(20);
    simple.with("fast", 1, {{2, 1}, {4, 1.5}}).with("slow", 1, {{2, 3}});
    simple.request.virtual_nodes.assign(10, Samples{2});
    const PlanOutcome outcome = best_plan(simple.request);
    ASSERT_TRUE(outcome.feasible());
    // 8 on the fast one take 8 s, 2 on the slow one 6 s; 7 and 3 would take 9 s, and the size 4 is not in the list.
    EXPECT_DOUBLE_EQ(outcome.best->cost.step.value, 8);
    EXPECT_TRUE(outcome.best->optimal);
    EXPECT_EQ(outcome.best->plan.virtual_nodes(), simple.request.virtual_nodes);
}

TEST(GivenVirtualNodes, OfSeveralSizesKeepTheirSizes) {
    SimpleRequest simple(17);
    simple.with("A", 3, {{2, 2}, {3, 3}});
    simple.request.virtual_nodes = {Samples{3}, Samples{3}, Samples{3}, Samples{2}, Samples{2}, Samples{2}, Samples{2}};
    const PlanOutcome outcome = best_plan(simple.request);
    ASSERT_TRUE(outcome.feasible());
    // 17 seconds of work on 3 GPUs: 6 at least, reached by 3+3, 3+2, 2+2+2.
    EXPECT_DOUBLE_EQ(outcome.best->cost.step.value, 6);
    EXPECT_TRUE(outcome.best->optimal);
    EXPECT_EQ(outcome.best->plan.virtual_nodes(), simple.request.virtual_nodes);
}

TEST(GivenVirtualNodes, AreProvedWhereGreedyPackingFails) {
    // Longest first gives 3+2+2 against 3+2; two GPUs do 3+3 and 2+2+2 in 6 s.
    SimpleRequest simple(12);
    simple.with("A", 2, {{2, 2}, {3, 3}});
    simple.request.virtual_nodes = {Samples{3}, Samples{3}, Samples{2}, Samples{2}, Samples{2}};
    const PlanOutcome outcome = best_plan(simple.request);
    ASSERT_TRUE(outcome.feasible());
    EXPECT_DOUBLE_EQ(outcome.best->cost.step.value, 6);
    EXPECT_TRUE(outcome.best->optimal);
}

TEST(GivenVirtualNodes, RunOnlyWhereTheirSizeWasMeasured) {
    SimpleRequest simple(6);
    simple.with("A", 1, {{2, 1}}).with("B", 1, {{4, 9}});
    simple.request.virtual_nodes = {Samples{4}, Samples{2}};
    const PlanOutcome outcome = best_plan(simple.request);
    ASSERT_TRUE(outcome.feasible());
    EXPECT_DOUBLE_EQ(outcome.best->cost.step.value, 9);
    simple.request.offered.pop_back();
    EXPECT_EQ(best_plan(simple.request).reason, "no offered GPU type can run virtual nodes of 4");
}

TEST(GivenVirtualNodes, MustAddUpToTheGlobalBatch) {
    SimpleRequest simple(6);
    simple.with("A", 1, {{2, 1}});
    simple.request.virtual_nodes = {Samples{2}, Samples{2}};
    EXPECT_THROW(best_plan(simple.request), Error);
}

TEST(GivenVirtualNodes, BindWhereFreeSizesWouldBeFaster) {
    SimpleRequest simple(16);
    simple.with("A", 1, {{2, 1}, {16, 3}});
    simple.request.virtual_nodes.assign(8, Samples{2});
    EXPECT_EQ(plan_report(simple.request).binding_constraint, "virtual-nodes");
}

}  // namespace
}  // namespace medley::planner
