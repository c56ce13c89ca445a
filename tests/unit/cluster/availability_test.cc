#include "simulator/cluster/availability.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/support/toy_cluster.h"

namespace medley::simulator {
namespace {

using test::at;
using test::type_id;

TEST(Availability, IsOrderedByTimeAndTypeAndAddsUpChangesOfOneMoment) {
    const auto changes = in_order({{at(5), type_id(1), -1}, {at(5), type_id(0), +2}, {at(1), type_id(1), -2}, {at(5), type_id(0), -1}},
                                  test::toy_cluster({4, 4}));
    ASSERT_EQ(changes.size(), 3U);
    EXPECT_EQ(changes[0].time, at(1));
    EXPECT_EQ(changes[1].type, type_id(0));
    EXPECT_EQ(changes[1].delta, 1);
    EXPECT_EQ(changes[2].delta, -1);
}

TEST(Availability, DropsChangesThatCancelOut) {
    EXPECT_TRUE(in_order({{at(5), type_id(0), -1}, {at(5), type_id(0), +1}}, test::toy_cluster({4})).empty());
}

TEST(Availability, RefusesACapacityBelowZeroAndUnknownTypes) {
    EXPECT_THROW(in_order({{at(5), type_id(0), -3}, {at(1), type_id(0), -2}}, test::toy_cluster({4})), Error);
    EXPECT_NO_THROW(in_order({{at(5), type_id(0), -3}, {at(1), type_id(0), +2}}, test::toy_cluster({1})));
    EXPECT_THROW(in_order({{at(5), type_id(1), 1}}, test::toy_cluster({4})), Error);
    EXPECT_THROW(in_order({{at(-5), type_id(0), 1}}, test::toy_cluster({4})), Error);
}

}  // namespace
}  // namespace medley::simulator
