#include "planner/policies/slurm/node_map.h"

#include <gtest/gtest.h>

#include "core/rng.h"
#include "planner/policies/slurm/backfill_plan.h"
#include "tests/support/toy_cluster.h"

namespace medley::planner {
namespace {

using test::at;

/// One type; groups of `count` nodes with `gpus` GPUs each.
Cluster grouped(std::vector<std::pair<int, int>> groups) {
    Cluster cluster = test::toy_cluster({1});
    cluster.nodes.clear();
    for (const auto& [count, gpus] : groups) {
        cluster.nodes.push_back(
            {.name = "g" + std::to_string(cluster.nodes.size()), .count = count, .gpu = GpuTypeId(std::size_t{0}), .gpus = gpus});
    }
    return cluster;
}

constexpr GpuTypeId kType = GpuTypeId(std::size_t{0});

std::vector<std::pair<std::size_t, int>> chosen(const NodeMap& map, const GangShape& shape) {
    std::vector<std::pair<std::size_t, int>> nodes;
    const auto placement = choose_nodes(map, kType, shape, map.free_now());
    if (!placement) { return nodes; }
    for (const NodeShare& share : *placement) { nodes.emplace_back(share.node.index(), share.gpus); }
    return nodes;
}

using Nodes = std::vector<std::pair<std::size_t, int>>;

void occupy(NodeMap& map, std::uint32_t job, std::size_t node, int gpus, double end_s = 100) {
    map.place(JobId(job), {{.node = NodeId(node), .gpus = gpus}}, at(end_s), 0);
}

TEST(NodeMap, AGangFillsNodesOrIsSpreadEvenlyOverThoseItStates) {
    const NodeMap map(grouped({{4, 8}}));
    EXPECT_EQ(map.shape(5, 0, kType), (GangShape{.nodes = 1, .per_node = 5}));
    EXPECT_EQ(map.shape(16, 0, kType), (GangShape{.nodes = 2, .per_node = 8}));
    EXPECT_EQ(map.shape(19, 0, kType), (GangShape{.nodes = 2, .per_node = 8, .rest = 3}));
    EXPECT_EQ(map.shape(8, 4, kType), (GangShape{.nodes = 4, .per_node = 2}));
    EXPECT_EQ(map.shape(7, 2, kType), (GangShape{.nodes = 1, .per_node = 4, .rest = 3}));
}

TEST(NodeMap, AGangThatNoEmptyClusterFitsByNodesLiesAnywhere) {
    const NodeMap map(grouped({{1, 8}, {2, 2}}));
    EXPECT_EQ(map.shape(12, 0, kType), (GangShape{.spread = 12}));
    EXPECT_EQ(map.shape(10, 2, kType), (GangShape{.nodes = 1, .per_node = 8, .rest = 2}));  // 5 and 5 do not fit anywhere
}

TEST(NodeMap, ASmallGangTakesTheFullestNodeWithRoom) {
    NodeMap map(grouped({{3, 4}}));
    occupy(map, 0, 1, 2);
    EXPECT_EQ(chosen(map, {.nodes = 1, .per_node = 1}), (Nodes{{1, 1}}));
    EXPECT_EQ(chosen(map, {.nodes = 1, .per_node = 3}), (Nodes{{0, 3}}));
}

TEST(NodeMap, TheShortestRunOfNeighboursThatSufficesIsTaken) {
    NodeMap map(grouped({{7, 4}}));
    occupy(map, 0, 3, 4);  // runs 0-2 and 4-6
    occupy(map, 1, 6, 4);  // the second is 4-5
    EXPECT_EQ(chosen(map, {.nodes = 2, .per_node = 4}), (Nodes{{4, 4}, {5, 4}}));
    EXPECT_EQ(chosen(map, {.nodes = 3, .per_node = 4}), (Nodes{{0, 4}, {1, 4}, {2, 4}}));
    EXPECT_EQ(chosen(map, {.nodes = 4, .per_node = 4}), (Nodes{{0, 4}, {1, 4}, {2, 4}, {4, 4}}));
}

TEST(NodeMap, EarlierGroupsAreTriedFirst) {
    NodeMap map(grouped({{1, 4}, {1, 2}}));
    EXPECT_EQ(chosen(map, {.nodes = 1, .per_node = 2}), (Nodes{{0, 2}}));
}

TEST(NodeMap, GroupsThatAreAlikeAreOne) {
    NodeMap map(grouped({{1, 4}, {1, 4}}));
    occupy(map, 0, 1, 2);
    EXPECT_EQ(chosen(map, {.nodes = 1, .per_node = 2}), (Nodes{{1, 2}}));
    EXPECT_EQ(chosen(map, {.nodes = 2, .per_node = 2}), (Nodes{{0, 2}, {1, 2}}));
}

TEST(NodeMap, FragmentsDoNotFitAGang) {
    NodeMap map(grouped({{2, 4}}));
    occupy(map, 0, 0, 2);
    occupy(map, 1, 1, 2);
    EXPECT_EQ(map.free(kType), 4);
    EXPECT_EQ(chosen(map, {.nodes = 1, .per_node = 4}), Nodes{});
    EXPECT_EQ(chosen(map, {.spread = 4}), (Nodes{{0, 2}, {1, 2}}));
}

TEST(NodeMap, LostCapacityIsTakenFromTheLastNodesThatHaveItFree) {
    NodeMap map(grouped({{3, 4}}));
    occupy(map, 0, 2, 3);
    map.set_capacity(kType, 9);
    EXPECT_EQ(map.node(NodeId(2)).free, 0);
    EXPECT_EQ(map.node(NodeId(1)).free, 2);
    map.remove(JobId(0));
    map.set_capacity(kType, 9);
    EXPECT_EQ(map.node(NodeId(2)).free, 1);
    EXPECT_EQ(map.node(NodeId(1)).free, 4);
    map.set_capacity(kType, 12);
    EXPECT_EQ(map.free(kType), 12);
}

// ---- The backfill plan --------------------------------------------------------------------------------------------------------

struct Planned {
    NodeMap map;
    BackfillRules rules{.resolution = Seconds{1}};
    std::vector<bool> all;

    explicit Planned(const Cluster& cluster) : map(cluster), all(map.size(), true) {}
    BackfillPlan plan(double now_s) const { return {map, at(now_s), rules, NodeWindows(map.size())}; }
    PlanRequest request(GangShape shape, double span_s) const {
        return {.type = kType, .shape = shape, .span = at(span_s), .usable = &all};
    }
};

TEST(BackfillPlan, AJobWaitsForTheExpectedEndsOfOthers) {
    Planned planned(grouped({{2, 4}}));
    occupy(planned.map, 0, 0, 4, 100);
    occupy(planned.map, 1, 1, 4, 200);
    BackfillPlan plan = planned.plan(0);
    EXPECT_EQ(plan.earliest(planned.request({.nodes = 1, .per_node = 1}, 10), at(1000))->start, at(100));
    EXPECT_EQ(plan.earliest(planned.request({.nodes = 2, .per_node = 1}, 10), at(1000))->start, at(200));
    EXPECT_FALSE(plan.earliest(planned.request({.nodes = 2, .per_node = 1}, 10), at(199)));
}

// Slurm's will-run test removes running jobs in batches: those that end within 30 s of the batch's first, then 60 s, and so on.
TEST(BackfillPlan, EndsCloseTogetherAreTakenForTheLastOfThem) {
    Planned planned(grouped({{3, 4}}));
    occupy(planned.map, 0, 0, 4, 100);
    occupy(planned.map, 1, 1, 4, 125);
    occupy(planned.map, 2, 2, 4, 131);
    BackfillPlan plan = planned.plan(0);
    EXPECT_EQ(plan.earliest(planned.request({.nodes = 1, .per_node = 1}, 10), at(1000))->start, at(125));
    EXPECT_EQ(plan.earliest(planned.request({.nodes = 3, .per_node = 1}, 10), at(1000))->start, at(131));
}

TEST(BackfillPlan, PromisedNodesAreWhollyTaken) {
    Planned planned(grouped({{2, 4}}));
    occupy(planned.map, 0, 0, 3, 100);
    BackfillPlan plan = planned.plan(0);
    plan.promise({{.node = NodeId(0), .gpus = 4}}, at(100), at(150));
    // 1 GPU for 100 s fits beside the running job on node 0 until 100; for longer it would reach into the promise.
    EXPECT_EQ(plan.earliest(planned.request({.nodes = 1, .per_node = 1}, 100), at(1000))->placement.front().node, NodeId(0));
    EXPECT_EQ(plan.earliest(planned.request({.nodes = 1, .per_node = 1}, 101), at(1000))->placement.front().node, NodeId(1));
    // Both nodes for long: only after the promise.
    EXPECT_EQ(plan.earliest(planned.request({.nodes = 2, .per_node = 1}, 101), at(1000))->start, at(150));
}

TEST(BackfillPlan, AWindowIsOpenToWhomItIsKeptFor) {
    const SiteReservation course;
    const std::vector<NodeWindow> windows{{.start = at(10), .end = at(20), .site = &course}};
    EXPECT_FALSE(open_between(windows, at(0), at(11), nullptr));
    EXPECT_TRUE(open_between(windows, at(0), at(10), nullptr));
    EXPECT_TRUE(open_between(windows, at(20), at(30), nullptr));
    EXPECT_TRUE(open_between(windows, at(0), at(30), &course));
}

// Against trying every second: the first start at which enough nodes have room and no promise reaches into the span.
TEST(BackfillPlan, TheFirstStartIsTheFirstThatHolds) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Rng random(seed);
        Planned planned(grouped({{4, 4}}));
        std::vector<double> ends;
        for (std::size_t node = 0; node < 4; ++node) {
            ends.push_back(100 * static_cast<double>(random.between(0, 2)));  // farther apart than the first batch is wide
            if (ends[node] > 0) { occupy(planned.map, static_cast<std::uint32_t>(node), node, 3, ends[node]); }
        }
        BackfillPlan plan = planned.plan(0);
        struct Promise {
            std::size_t node;
            double start, end;
        };
        std::vector<Promise> promises;
        for (int count = 0; count < 3; ++count) {
            const auto node = static_cast<std::size_t>(random.below(4));
            const double start = ends[node] + static_cast<double>(random.between(0, 200));
            promises.push_back({.node = node, .start = start, .end = start + static_cast<double>(random.between(1, 200))});
            plan.promise({{.node = NodeId(node), .gpus = 4}}, at(start), at(promises.back().end));
        }
        const auto nodes = static_cast<int>(random.between(1, 4));
        const auto gpus = static_cast<int>(random.between(1, 4));
        const auto span = static_cast<double>(random.between(1, 300));
        const auto found = plan.earliest(planned.request({.nodes = nodes, .per_node = gpus}, span), at(10'000));
        const auto holds_at = [&](double start) {
            int open = 0;
            for (std::size_t node = 0; node < 4; ++node) {
                bool fits = gpus == 1 || ends[node] <= start;
                for (const Promise& each : promises) { fits &= each.node != node || each.start >= start + span || each.end <= start; }
                open += fits ? 1 : 0;
            }
            return open >= nodes;
        };
        ASSERT_TRUE(found.has_value()) << seed;
        const double start = to_seconds(found->start).value;
        ASSERT_TRUE(holds_at(start)) << seed;
        for (int second = 0; second < start; ++second) { ASSERT_FALSE(holds_at(second)) << seed << ": at " << second; }
        ASSERT_EQ(found->placement.size(), static_cast<std::size_t>(nodes));
    }
}

}  // namespace
}  // namespace medley::planner
