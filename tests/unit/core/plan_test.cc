#include "core/plan.h"

#include <gtest/gtest.h>

#include "tests/unit/core/refusal.h"

namespace medley {
namespace {

// 2 V100 with 1024 each and 8 P100 with 768 each: 2048 + 6144 = 8192.
Plan uneven() {
    return Plan{
        .model = Name("resnet50"),
        .global_batch = Samples{8192},
        .groups = {{.gpu_type = Name("V100"), .replicas = 2, .virtual_nodes = {Samples{256}, Samples{256}, Samples{256}, Samples{256}}},
                   {.gpu_type = Name("P100"), .replicas = 8, .virtual_nodes = {Samples{256}, Samples{256}, Samples{192}, Samples{64}}}}};
}

TEST(Plan, CountsDevicesOfEveryDegree) {
    EXPECT_EQ(uneven().gpus(), 10);
    EXPECT_EQ((ReplicaGroup{.replicas = 2, .tensor = 4, .pipeline = 3}.gpus()), 24);
}

TEST(Plan, ListsVirtualNodesDescendingWithOneEntryPerReplica) {
    const auto nodes = uneven().virtual_nodes();
    ASSERT_EQ(nodes.size(), 2U * 4 + 8U * 4);
    EXPECT_EQ(nodes.front(), Samples{256});
    EXPECT_EQ(nodes[23], Samples{256});  // 8 of V100, 16 of P100
    EXPECT_EQ(nodes[24], Samples{192});
    EXPECT_EQ(nodes.back(), Samples{64});
}

TEST(Plan, TheListOfVirtualNodesDoesNotDependOnTheOrderOfGroups) {
    Plan swapped = uneven();
    std::swap(swapped.groups[0], swapped.groups[1]);
    EXPECT_EQ(swapped.virtual_nodes(), uneven().virtual_nodes());
}

TEST(Plan, SumsTheBatchOfAReplica) { EXPECT_EQ(uneven().groups[1].batch_per_replica(), Samples{768}); }

TEST(Plan, AcceptsWhatAddsUp) {
    EXPECT_EQ(refusal([] { uneven().validate(); }), "");
}

TEST(Plan, RefusesEachWrongFigureByPlaceValueAndExpectation) {
    const std::vector<Spoiled<Plan>> cases = {
        {[](Plan& p) { p.groups.clear(); }, "groups: expected at least one replica group"},
        {[](Plan& p) { p.groups[1].gpu_type = Name(); }, "groups[1].gpu_type: expected a GPU type"},
        {[](Plan& p) { p.groups[1].replicas = 0; }, "groups[1]: found '0', expected replicas, tensor and pipeline of at least 1"},
        {[](Plan& p) { p.groups[0].tensor = -2; }, "groups[0]: found '-2', expected replicas, tensor and pipeline of at least 1"},
        {[](Plan& p) { p.groups[0].pipeline = 0; }, "groups[0]: found '0', expected replicas, tensor and pipeline of at least 1"},
        {[](Plan& p) { p.groups[0].virtual_nodes.clear(); }, "groups[0].virtual_nodes: expected at least one virtual node"},
        {[](Plan& p) { p.groups[0].virtual_nodes[3] = Samples{0}; }, "groups[0].virtual_nodes: found '0', expected a size of at least 1"},
        {[](Plan& p) { p.global_batch = Samples{8000}; }, "global_batch: found '8000', expected the sum of the virtual nodes, 8192"},
    };
    for (const auto& [spoil, expected] : cases) {
        Plan plan = uneven();
        spoil(plan);
        EXPECT_EQ(refusal([&] { plan.validate(); }), expected);
    }
}

}  // namespace
}  // namespace medley
