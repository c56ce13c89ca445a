#include "sched/ledger_series.h"

#include <gtest/gtest.h>

#include "core/rng.h"

namespace medley {
namespace {

SimTime moment(double seconds) { return to_sim_time(Seconds{seconds}); }
const GpuTypeId kA(std::size_t{0}), kB(std::size_t{1});

TEST(LedgerSeries, SplitsASpanOverItsStretchesByType) {
    LedgerSeries series(2, moment(1));
    series.add({.type = kA, .from = moment(10), .to = moment(12.5)}, LedgerBin::kUseful, 4);
    series.add({.type = kB, .from = moment(10), .to = moment(11)}, LedgerBin::kIdle, 3);
    ASSERT_EQ(series.stretches(), 3U);
    EXPECT_EQ(series.start_of(0), moment(10));
    EXPECT_EQ(series.end_of(2), moment(12.5));
    EXPECT_DOUBLE_EQ(series.gpu_seconds(1, kA, LedgerBin::kUseful), 4);
    EXPECT_DOUBLE_EQ(series.gpu_seconds(2, kA, LedgerBin::kUseful), 2);
    EXPECT_DOUBLE_EQ(series.gpu_seconds(0, kB, LedgerBin::kIdle), 3);
    EXPECT_DOUBLE_EQ(series.gpu_seconds(1, kB, LedgerBin::kIdle), 0);
}

TEST(LedgerSeries, ACorrectionMovesPastTimeBetweenBinsAndLeavesNoCrumbs) {
    LedgerSeries series(1, moment(1));
    series.add({.type = kA, .from = moment(0), .to = moment(3)}, LedgerBin::kUseful, 0.3);
    for (int third = 0; third < 3; ++third) {
        series.move({.type = kA, .from = moment(0), .to = moment(3)}, LedgerBin::kUseful, LedgerBin::kLostWork, 0.1);
    }
    for (std::size_t stretch = 0; stretch < 3; ++stretch) {
        EXPECT_GE(series.gpu_seconds(stretch, kA, LedgerBin::kUseful), 0);
        EXPECT_NEAR(series.gpu_seconds(stretch, kA, LedgerBin::kUseful), 0, 1e-15);
        EXPECT_NEAR(series.gpu_seconds(stretch, kA, LedgerBin::kLostWork), 0.3, 1e-15);
    }
}

TEST(LedgerSeries, NeverHasMoreStretchesThanItMayAndKeepsTheAmounts) {
    Rng random(4);
    LedgerSeries series(2, moment(1));
    SimTime now{0};
    double amount = 0;
    for (int step = 0; step < 20'000; ++step) {
        const SimTime next = now + SimTime{random.between(1, 200'000'000'000)};
        const double gpus = static_cast<double>(random.below(50));
        series.add({.type = kB, .from = now, .to = next}, LedgerBin::kStartup, gpus);
        amount += gpus * to_seconds(next - now).value;
        now = next;
    }
    EXPECT_LE(series.stretches(), LedgerSeries::kMostStretches);
    EXPECT_GT(series.stretches(), LedgerSeries::kMostStretches / 2);
    double sum = 0;
    for (std::size_t stretch = 0; stretch < series.stretches(); ++stretch) { sum += series.gpu_seconds(stretch, kB, LedgerBin::kStartup); }
    EXPECT_NEAR(sum, amount, 1e-9 * amount);
    EXPECT_EQ(series.end_of(series.stretches() - 1), now);
}

}  // namespace
}  // namespace medley
