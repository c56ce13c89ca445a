#include "planner/virtual_nodes/integer_set.h"

#include <set>

#include <gtest/gtest.h>

#include "core/rng.h"

namespace medley::planner {
namespace {

using Reference = std::set<std::int64_t>;

Reference sums(const Reference& a, const Reference& b, std::int64_t limit) {
    Reference all;
    for (const std::int64_t x : a) {
        for (const std::int64_t y : b) {
            if (x + y <= limit) { all.insert(x + y); }
        }
    }
    return all;
}

IntegerSet to_set(const Reference& values, std::int64_t limit) {
    IntegerSet set(limit);
    for (const std::int64_t value : values) { set.insert(value); }
    return set;
}

Reference random_values(Rng& rng, std::int64_t limit) {
    Reference values{0};
    for (std::int64_t count = rng.between(0, 6); count > 0; --count) { values.insert(rng.between(0, limit)); }
    return values;
}

TEST(IntegerSet, AddsAndMultipliesLikeASetOfNumbers) {
    Rng rng(1);
    for (int trial = 0; trial < 300; ++trial) {
        const std::int64_t limit = rng.between(0, 200);
        const Reference a = random_values(rng, limit);
        const Reference b = random_values(rng, limit);
        const Reference expected = sums(a, b, limit);
        EXPECT_EQ(sum_of(to_set(a, limit), to_set(b, limit)), to_set(expected, limit));
        const std::int64_t total = rng.between(0, limit);
        EXPECT_EQ(sum_contains(to_set(a, limit), to_set(b, limit), total), expected.contains(total));

        const std::int64_t count = rng.between(0, 9);
        Reference multiple{0};
        for (std::int64_t index = 0; index < count; ++index) { multiple = sums(multiple, a, limit); }
        EXPECT_EQ(multiple_of(to_set(a, limit), count), to_set(multiple, limit));
    }
}

TEST(IntegerSet, TakesExactlyTheNumberOfMembersWhereZeroIsNone) {
    const IntegerSet set = to_set({3, 5}, 40);
    EXPECT_EQ(multiple_of(set, 3).members(), (std::vector<std::int64_t>{9, 11, 13, 15}));
}

TEST(IntegerSet, StaysWithinItsLimit) {
    IntegerSet set(65);
    set.insert_shifted(to_set({0, 60, 65}, 65), 5);
    EXPECT_EQ(set.members(), (std::vector<std::int64_t>{5, 65}));
}

}  // namespace
}  // namespace medley::planner
