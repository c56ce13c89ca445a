#include "sched/utilization_series.h"

#include <gtest/gtest.h>

#include "core/rng.h"

namespace medley {
namespace {

SimTime seconds(double value) { return to_sim_time(Seconds{value}); }

TEST(UtilizationSeries, SplitsAStretchOverItsBins) {
    UtilizationSeries series;
    series.add(seconds(10), seconds(10.5), {.held_gpus = 4});
    series.add(seconds(10.5), seconds(12.5), {.held_gpus = 8});
    const auto bins = series.bins();
    ASSERT_EQ(bins.size(), 3U);
    EXPECT_EQ(bins[0].start, seconds(10));
    EXPECT_DOUBLE_EQ(bins[0].held_gpus, 6);
    EXPECT_DOUBLE_EQ(bins[1].held_gpus, 8);
    EXPECT_EQ(bins[2].end, seconds(12.5));
    EXPECT_DOUBLE_EQ(bins[2].held_gpus, 8);
}

TEST(UtilizationSeries, NeverHasMoreBinsThanItMayAndKeepsTheIntegral) {
    Rng random(9);
    UtilizationSeries series;
    SimTime now{0};
    double integral = 0;
    for (int step = 0; step < 20'000; ++step) {
        const SimTime next = now + SimTime{random.between(1, 400'000'000'000)};
        const double held = static_cast<double>(random.below(100));
        series.add(now, next, {.held_gpus = held});
        integral += held * to_seconds(next - now).value;
        now = next;
    }
    const auto bins = series.bins();
    EXPECT_LE(bins.size(), UtilizationSeries::kMostBins);
    EXPECT_GT(bins.size(), UtilizationSeries::kMostBins / 2);
    double sum = 0;
    SimTime end{0};
    for (const UtilizationBin& bin : bins) {
        EXPECT_EQ(bin.start, end);
        end = bin.end;
        sum += bin.held_gpus * to_seconds(bin.end - bin.start).value;
    }
    EXPECT_EQ(end, now);
    EXPECT_NEAR(sum, integral, 1e-9 * integral);
}

TEST(UtilizationSeries, IsEmptyForAnEmptyLog) { EXPECT_TRUE(UtilizationSeries().bins().empty()); }

}  // namespace
}  // namespace medley
