#include "sched/queue_trend.h"

#include <vector>

#include <gtest/gtest.h>

#include "core/rng.h"

namespace medley {
namespace {

template <class Queue>
std::vector<QueuePoint> arrivals(int count, Queue queue) {
    std::vector<QueuePoint> points;
    for (int index = 0; index < count; ++index) {
        points.push_back({.time = SimTime{index * 1'000'000'000LL}, .wanted_gpus = queue(index)});
    }
    return points;
}

TEST(QueueTrend, ASteadilyGrowingQueueGrows) {
    EXPECT_TRUE(queue_grows(arrivals(100, [](int k) { return 2.0 * k; }), 100));
}

TEST(QueueTrend, AQueueSmallerThanTheClusterDoesNotCount) {
    EXPECT_FALSE(queue_grows(arrivals(100, [](int k) { return 0.9 * k; }), 100));
}

TEST(QueueTrend, AFluctuatingQueueDoesNotGrow) {
    Rng random(2);
    EXPECT_FALSE(queue_grows(arrivals(1000, [&](int) { return random.uniform(100, 500); }), 100));
}

TEST(QueueTrend, ALongButConstantOrShrinkingQueueDoesNotGrow) {
    EXPECT_FALSE(queue_grows(arrivals(100, [](int) { return 5000.0; }), 100));
    EXPECT_FALSE(queue_grows(arrivals(100, [](int k) { return 5000.0 - 10 * k; }), 100));
}

TEST(QueueTrend, FewArrivalsOrArrivalsAllAtOnceSayNothing) {
    EXPECT_FALSE(queue_grows(arrivals(10, [](int k) { return 200.0 * k; }), 100));
    std::vector<QueuePoint> at_once = arrivals(100, [](int k) { return 2.0 * k; });
    for (QueuePoint& point : at_once) { point.time = SimTime{0}; }
    EXPECT_FALSE(queue_grows(at_once, 100));
    EXPECT_FALSE(queue_grows({}, 100));
}

}  // namespace
}  // namespace medley
