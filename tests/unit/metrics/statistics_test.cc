#include "sched/statistics.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/rng.h"

namespace medley {
namespace {

double at(std::vector<double> values, double percent) { return *percentile(values, percent); }

// numpy.percentile([1, 2, 3, 4], [0, 25, 50, 90, 100]) = [1, 1.75, 2.5, 3.7, 4]
TEST(Percentile, EqualsNumpys) {
    EXPECT_DOUBLE_EQ(at({4, 1, 3, 2}, 0), 1);
    EXPECT_DOUBLE_EQ(at({4, 1, 3, 2}, 25), 1.75);
    EXPECT_DOUBLE_EQ(at({4, 1, 3, 2}, 50), 2.5);
    EXPECT_DOUBLE_EQ(at({4, 1, 3, 2}, 90), 3.7);
    EXPECT_DOUBLE_EQ(at({4, 1, 3, 2}, 100), 4);
    EXPECT_DOUBLE_EQ(at({7}, 99), 7);
    EXPECT_DOUBLE_EQ(at({3, 1, 2}, 50), 2);
}

TEST(Percentile, EqualsInterpolationInTheSortedList) {
    Rng random(1);
    for (int round = 0; round < 200; ++round) {
        std::vector<double> values(random.below(50) + 1);
        for (double& value : values) { value = static_cast<double>(random.below(20)); }
        const double percent = random.uniform(0, 100);
        std::vector<double> sorted = values;
        std::sort(sorted.begin(), sorted.end());
        const double rank = percent / 100 * static_cast<double>(sorted.size() - 1);
        const auto below = static_cast<std::size_t>(rank);
        const double above = sorted[std::min(below + 1, sorted.size() - 1)];
        EXPECT_NEAR(*percentile(values, percent), sorted[below] + (rank - static_cast<double>(below)) * (above - sorted[below]), 1e-12);
    }
}

TEST(Statistics, HaveNoValueWithoutValues) {
    std::vector<double> none;
    EXPECT_FALSE(mean(none));
    EXPECT_FALSE(percentile(none, 50));
    EXPECT_FALSE(jain_index(none));
}

TEST(JainIndex, IsOneForEqualsAndOneOverNForASingleWinner) {
    EXPECT_DOUBLE_EQ(*jain_index({3, 3, 3}), 1);
    EXPECT_DOUBLE_EQ(*jain_index({0, 0, 5, 0}), 0.25);
    EXPECT_DOUBLE_EQ(*jain_index({1, 2}), 0.9);
}

}  // namespace
}  // namespace medley
