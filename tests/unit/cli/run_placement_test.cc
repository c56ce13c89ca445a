#include "cli/run_placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/rng.h"
#include "io/plan_file.h"
#include "tests/unit/core/refusal.h"

namespace medley::cli {
namespace {

using executor::Placement;
using testing::ElementsAre;
using testing::SizeIs;

const std::string kPlan = R"(
global_batch: 26
groups:
  - {gpu_type: V100, replicas: 1, virtual_nodes: [8, 4, 4]}
  - {gpu_type: P100, replicas: 2, virtual_nodes: [4, 1]}
)";

Placement placed(const std::string& text, const std::vector<std::int64_t>& nodes, const Profile* profile = nullptr) {
    DeviceSource devices({"cpu"});
    return parse_placement(text, {.option = "--to", .virtual_nodes = nodes, .profile = profile, .gpu_type = "cpu"}, devices);
}

std::vector<std::int64_t> sizes(const Placement& placement, std::size_t place, const std::vector<std::int64_t>& nodes) {
    std::vector<std::int64_t> result;
    for (const executor::VirtualNode node : placement.places.at(place).virtual_nodes) { result.push_back(nodes.at(node)); }
    return result;
}

TEST(RunPlacement, APlansReplicasBecomePlacesWithEachVirtualNodeOnce) {
    const Plan plan = io::parse_plan(kPlan, "plan.yaml");
    const std::vector<std::int64_t> nodes = virtual_node_sizes(plan);
    EXPECT_THAT(nodes, ElementsAre(8, 4, 4, 4, 4, 1, 1));
    DeviceSource devices({"cuda:0", "cuda:1"});
    const Placement placement = placement_of(plan, nodes, devices);
    ASSERT_THAT(placement.places, SizeIs(3));
    EXPECT_THAT(placement.places[0].virtual_nodes, ElementsAre(0, 1, 2));
    EXPECT_THAT(placement.places[1].virtual_nodes, ElementsAre(3, 5));
    EXPECT_THAT(placement.places[2].virtual_nodes, ElementsAre(4, 6));
    EXPECT_EQ(placement.places[1].device, "cuda:1");
    EXPECT_EQ(placement.places[2].device, "cuda:0") << "more workers than GPUs share them in turn";
    EXPECT_EQ(placement.places[2].gpu_type, "P100");
}

TEST(RunPlacement, ThePlaceOfEveryVirtualNodeSurvivesTheWayToAPlanAndBack) {
    const Plan plan = io::parse_plan(kPlan, "plan.yaml");
    const std::vector<std::int64_t> nodes = virtual_node_sizes(plan);
    DeviceSource devices({"cpu"});
    EXPECT_EQ(plan_of(placement_of(plan, nodes, devices), nodes, plan.model), plan);
}

TEST(RunPlacement, APlanOfOtherVirtualNodesIsRefused) {
    const Plan plan = io::parse_plan(kPlan, "plan.yaml");
    DeviceSource devices({"cpu"});
    const std::string expected =
        "groups: found '7 virtual nodes', expected the virtual nodes that the run began with: their sizes stay, only their places change";
    EXPECT_EQ(refusal([&] { placement_of(plan, std::vector<std::int64_t>{8, 4, 4, 4, 4, 2}, devices); }), expected);
    EXPECT_EQ(refusal([&] { placement_of(plan, std::vector<std::int64_t>{8, 4, 4, 4, 4, 1, 1, 1}, devices); }), expected);
}

TEST(RunPlacement, WorkersShareAsEquallyAsTheSizesAllow) {
    const std::vector<std::int64_t> nodes{8, 4, 4, 4, 4};
    const Placement placement = placed("3", nodes);
    ASSERT_THAT(placement.places, SizeIs(3));
    for (std::size_t place = 0; place < 3; ++place) {
        std::int64_t sum = 0;
        for (const std::int64_t size : sizes(placement, place, nodes)) { sum += size; }
        EXPECT_EQ(sum, 8);
    }
    EXPECT_EQ(placement.places[0].gpu_type, "cpu");
}

TEST(RunPlacement, CountsAreTakenInTheOrderOfTheVirtualNodes) {
    const Placement placement = placed("1,3,1", {8, 4, 4, 4, 4});
    EXPECT_THAT(placement.places.at(0).virtual_nodes, ElementsAre(0));
    EXPECT_THAT(placement.places.at(1).virtual_nodes, ElementsAre(1, 2, 3));
    EXPECT_THAT(placement.places.at(2).virtual_nodes, ElementsAre(4));
}

TEST(RunPlacement, GpusOfProfiledTypesGetWhatThePlannerGivesThem) {
    Profile profile;
    profile.model = Name("m");
    profile.gpus[Name("fast")].points = {{.batch = Samples{4}, .seconds = Seconds{1}, .memory = {}}};
    profile.gpus[Name("slow")].points = {{.batch = Samples{4}, .seconds = Seconds{3}, .memory = {}}};
    const std::vector<std::int64_t> nodes(8, 4);
    const Placement placement = placed("fast=1,slow=1", nodes, &profile);
    ASSERT_THAT(placement.places, SizeIs(2));
    EXPECT_EQ(placement.places[0].gpu_type, "fast");
    EXPECT_THAT(placement.places[0].virtual_nodes, SizeIs(6));
    const Placement unprofiled = placed("fast=1,slow=1", nodes);
    EXPECT_THAT(unprofiled.places.at(0).virtual_nodes, SizeIs(4));
}

TEST(RunPlacement, WhatCannotBePlacedIsRefused) {
    const std::vector<std::int64_t> nodes(4, 8);
    EXPECT_EQ(refusal([&] { placed("5", nodes); }), "--to: found '5 devices', expected at most 4, one for each virtual node");
    EXPECT_EQ(refusal([&] { placed("2,3", nodes); }), "--to: found '5 virtual nodes in all', expected 4, as the plan has");
    EXPECT_EQ(refusal([&] { placed("V100=3,P100=2", nodes); }), "--to: found '5 devices', expected at most 4, one for each virtual node");
    EXPECT_EQ(refusal([&] { placed("many", nodes); }), "--to: found 'many', expected a whole number from 1 to 100000");
}

TEST(RunPlacement, EveryPlacementHoldsEachVirtualNodeOnce) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Rng rng(seed);
        std::vector<std::int64_t> nodes;
        for (std::int64_t count = rng.between(1, 20); count > 0; --count) { nodes.push_back(rng.between(1, 9)); }
        const auto workers = rng.between(1, static_cast<std::int64_t>(nodes.size()));
        const Placement placement = placed(std::to_string(workers), nodes);
        std::vector<int> seen(nodes.size());
        for (const executor::Place& place : placement.places) {
            EXPECT_FALSE(place.virtual_nodes.empty());
            for (const executor::VirtualNode node : place.virtual_nodes) { ++seen.at(node); }
        }
        EXPECT_THAT(seen, testing::Each(1)) << "seed " << seed;
    }
}

}  // namespace
}  // namespace medley::cli
