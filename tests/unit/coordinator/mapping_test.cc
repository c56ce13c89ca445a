#include "executor/coordinator/mapping.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace medley::executor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Nodes = std::vector<VirtualNode>;

Place at_speed(double speed, Nodes held = {}) {
    return {.device = "emulated", .gpu_type = "x", .speed = speed, .virtual_nodes = std::move(held)};
}

std::vector<std::size_t> counts(const Placement& placement) {
    std::vector<std::size_t> result;
    for (const Place& place : placement.places) { result.push_back(place.virtual_nodes.size()); }
    return result;
}

TEST(Mapping, FasterPlacesGetMore) {
    const std::vector<std::int64_t> nodes(8, 4);
    const std::vector<Place> live = {at_speed(2), at_speed(1), at_speed(1)};
    const Placement placement = rebalance_by_speed(live, nodes);
    EXPECT_THAT(counts(placement), ElementsAre(4, 2, 2));
    EXPECT_EQ(placement_problem(placement, nodes.size()), "");
}

TEST(Mapping, TheLargestGoFirst) {
    const Placement placement = rebalance_by_speed(std::vector<Place>{at_speed(1), at_speed(1)}, std::vector<std::int64_t>{3, 3, 2, 2, 2});
    EXPECT_THAT(placement.places[0].virtual_nodes, ElementsAre(0, 2, 4));
    EXPECT_THAT(placement.places[1].virtual_nodes, ElementsAre(1, 3));
}

TEST(Mapping, NoPlaceStaysEmptyHoweverSlow) {
    const Placement placement = rebalance_by_speed(std::vector<Place>{at_speed(1e9), at_speed(1e-9)}, std::vector<std::int64_t>{1, 1, 1});
    EXPECT_THAT(counts(placement), ElementsAre(2, 1));
}

TEST(Mapping, MorePlacesThanVirtualNodesLeaveSomeEmpty) {
    const Placement placement = rebalance_by_speed(std::vector<Place>(3, at_speed(1)), std::vector<std::int64_t>{1, 1});
    EXPECT_THAT(counts(placement), ElementsAre(1, 1, 0));
}

TEST(Mapping, EqualChoicesStayWhereTheyAre) {
    const std::vector<Place> live = {at_speed(1, {1}), at_speed(1, {0})};
    const Placement placement = rebalance_by_speed(live, std::vector<std::int64_t>{2, 2});
    EXPECT_THAT(placement.places[0].virtual_nodes, ElementsAre(1));
    EXPECT_THAT(placement.places[1].virtual_nodes, ElementsAre(0));
}

TEST(Mapping, MeasuredSecondsOverruleDeclaredSpeeds) {
    const std::vector<Place> live = {at_speed(9), at_speed(1)};
    const std::vector<std::int64_t> nodes(6, 1);
    EXPECT_THAT(counts(rebalance_by_seconds(live, nodes, std::vector<double>{2, 1})), ElementsAre(2, 4));
}

TEST(Mapping, APlaceWithoutAMeasurementCountsByItsSpeed) {
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    const std::vector<std::int64_t> nodes(6, 1);
    EXPECT_THAT(counts(rebalance_by_seconds(std::vector<Place>{at_speed(1), at_speed(2)}, nodes, std::vector<double>{3, nothing})),
                ElementsAre(2, 4));
    EXPECT_THAT(counts(rebalance_by_seconds(std::vector<Place>{at_speed(0), at_speed(nothing)}, nodes, {})), ElementsAre(3, 3));
}

TEST(Mapping, AnUnsoundPlacementIsNamed) {
    const auto problem = [](std::vector<Nodes> places) {
        Placement placement;
        for (Nodes& nodes : places) { placement.places.push_back(at_speed(1, std::move(nodes))); }
        return placement_problem(placement, 3);
    };
    EXPECT_EQ(problem({{2, 0}, {1}}), "");
    EXPECT_EQ(problem({}), "no place");
    EXPECT_THAT(problem({{0, 1, 2}, {}}), HasSubstr("place 1 (emulated) has no virtual nodes"));
    EXPECT_THAT(problem({{0, 1}, {1, 2}}), HasSubstr("virtual node 1 is placed twice"));
    EXPECT_THAT(problem({{0}, {2}}), HasSubstr("virtual node 1 has no place"));
    EXPECT_THAT(problem({{0, 1, 2, 3}}), HasSubstr("names virtual node 3"));
}

}  // namespace
}  // namespace medley::executor
