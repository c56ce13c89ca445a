#include "core/ids.h"

#include <type_traits>
#include <unordered_set>

#include <gtest/gtest.h>

namespace medley {
namespace {

static_assert(!std::is_convertible_v<std::size_t, JobId>);
static_assert(!std::is_convertible_v<JobId, GpuTypeId>);
static_assert(!std::is_constructible_v<JobId, GpuTypeId>);
static_assert(sizeof(JobId) == 4);

TEST(Ids, AreInvalidUntilGivenAnIndex) {
    EXPECT_FALSE(JobId().valid());
    EXPECT_TRUE(JobId(0).valid());
    EXPECT_EQ(JobId(7).index(), 7U);
}

TEST(Ids, AreOrderedByIndexAndTheInvalidOneIsLast) {
    EXPECT_LT(JobId(1), JobId(2));
    EXPECT_LT(JobId(4'000'000'000U), JobId());
    EXPECT_EQ(GpuTypeId(3), GpuTypeId(3));
}

TEST(Ids, CanBeHashed) {
    const std::unordered_set<JobId> ids = {JobId(1), JobId(2), JobId(1)};
    EXPECT_EQ(ids.size(), 2U);
}

}  // namespace
}  // namespace medley
