#include "planner/virtual_nodes/batch_table.h"

#include <numeric>

#include <gtest/gtest.h>

namespace medley::planner {
namespace {

BatchTable three_sizes() {
    BatchTable table({{.size = 3, .seconds = 1.0}, {.size = 5, .seconds = 1.25}, {.size = 8, .seconds = 2.5}});
    table.cover(BatchTable::kNever, 30);
    return table;
}

TEST(BatchTable, FindsTheFastestCompositionOfEachBatch) {
    const BatchTable table = three_sizes();
    EXPECT_EQ(table.seconds(1), BatchTable::kNever);
    EXPECT_EQ(table.seconds(4), BatchTable::kNever);
    EXPECT_EQ(table.seconds(5), 1.25);
    EXPECT_EQ(table.seconds(8), 2.25);   // 5 + 3 beats the size 8
    EXPECT_EQ(table.seconds(10), 2.5);   // 5 + 5
    EXPECT_EQ(table.seconds(14), 4.25);  // 5 + 3 + 3 + 3
}

TEST(BatchTable, ComposesWhatItTimed) {
    const BatchTable table = three_sizes();
    for (std::int64_t batch = 8; batch <= 30; ++batch) {
        const std::vector<std::int64_t> parts = table.compose(batch);
        EXPECT_EQ(std::accumulate(parts.begin(), parts.end(), std::int64_t{0}), batch);
    }
    EXPECT_EQ(table.compose(14), (std::vector<std::int64_t>{5, 3, 3, 3}));
}

TEST(BatchTable, KnowsTheLargestBatchWithinATimeThoughTimesDoNotAscend) {
    const BatchTable table = three_sizes();
    EXPECT_EQ(table.largest_within(0.9), 0);
    EXPECT_EQ(table.largest_within(1.0), 3);
    EXPECT_EQ(table.largest_within(2.5), 10);
    EXPECT_EQ(table.seconds(9), 3.0);  // slower than 10
}

TEST(BatchTable, GrowsOnDemandToTheSameTable) {
    BatchTable grown({{.size = 3, .seconds = 1.0}, {.size = 5, .seconds = 1.25}, {.size = 8, .seconds = 2.5}});
    grown.cover(1.0, 30);
    EXPECT_FALSE(grown.knows(30));
    grown.cover(3.0, 30);
    grown.cover(BatchTable::kNever, 30);
    const BatchTable whole = three_sizes();
    for (std::int64_t batch = 0; batch <= 30; ++batch) { EXPECT_EQ(grown.seconds(batch), whole.seconds(batch)); }
    EXPECT_TRUE(std::equal(grown.times().begin(), grown.times().end(), whole.times().begin(), whole.times().end()));
}

}  // namespace
}  // namespace medley::planner
