#include "executor/report/measurement.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "core/rng.h"

namespace medley::executor {
namespace {

TEST(Measurement, TheMedianIsTheMiddleOrTheMeanOfTheTwoMiddleValues) {
    EXPECT_DOUBLE_EQ(summarize(std::vector<double>{3, 1, 2}).median, 2);
    EXPECT_DOUBLE_EQ(summarize(std::vector<double>{4, 1, 2, 3}).median, 2.5);
    EXPECT_EQ(summarize({}).count, 0);
}

TEST(Measurement, PercentilesInterpolate) {
    std::vector<double> values;
    for (int value = 0; value <= 100; ++value) { values.push_back(value); }
    const Measurement measured = summarize(values);
    EXPECT_DOUBLE_EQ(measured.low, 10);
    EXPECT_DOUBLE_EQ(measured.high, 90);
    EXPECT_DOUBLE_EQ(measured.spread(), 0.8);
}

TEST(Measurement, WarmUpIsDroppedButNeverEverything) {
    EXPECT_DOUBLE_EQ(summarize_settled(std::vector<double>{100, 50, 1, 1, 1}, 2).median, 1);
    EXPECT_DOUBLE_EQ(summarize_settled(std::vector<double>{100, 50}, 5).median, 50);
}

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) { sum += value; }
    return sum / static_cast<double>(values.size());
}

/// Twenty steps of about 10 ms, of which one takes five hundred times as long.
std::vector<double> steps_with_an_outlier(Rng& rng, bool outlier) {
    std::vector<double> steps;
    for (int step = 0; step < 20; ++step) { steps.push_back(0.01 * (1 + 0.02 * (rng.uniform() - 0.5))); }
    if (outlier) { steps[static_cast<std::size_t>(rng.between(0, 19))] *= 500; }
    return steps;
}

TEST(Measurement, OneStepInTwentyFiveHundredTimesAsLongMovesTheRateByLessThanTwoPercent) {
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        Rng clean_rng(seed);
        Rng spoilt_rng(seed);
        const std::vector<double> clean = steps_with_an_outlier(clean_rng, false);
        const std::vector<double> spoilt = steps_with_an_outlier(spoilt_rng, true);
        EXPECT_NEAR(summarize(spoilt).median / summarize(clean).median, 1, 0.02);
        EXPECT_GT(mean(spoilt) / mean(clean), 20) << "the mean, which would not do";
    }
}

TEST(Measurement, ALinkIsWhatTwoSizesTell) {
    // 50 us and 2 GB/s.
    const auto seconds = [](double bytes) { return 50e-6 + bytes / 2e9; };
    const LinkEstimate link = estimate_link({.bytes = 8, .seconds = seconds(8)}, {.bytes = 16e6, .seconds = seconds(16e6)});
    EXPECT_NEAR(link.latency_s, 50e-6, 1e-12);
    EXPECT_NEAR(link.bytes_per_s, 2e9, 1);
}

TEST(Measurement, ALargeTransferThatIsNotSlowerHasARateOfItsOwn) {
    const LinkEstimate link = estimate_link({.bytes = 8, .seconds = 1e-3}, {.bytes = 1e6, .seconds = 1e-3});
    EXPECT_DOUBLE_EQ(link.bytes_per_s, 1e9);
    EXPECT_DOUBLE_EQ(link.latency_s, 1e-3);
}

}  // namespace
}  // namespace medley::executor
