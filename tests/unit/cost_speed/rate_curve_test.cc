#include "cost/rate_curve.h"

#include <cmath>

#include <gtest/gtest.h>

namespace medley {
namespace {

ProfilePoint size_at(std::int64_t batch, double samples_per_s, std::optional<Bytes> memory = {}) {
    return {.batch = Samples{batch}, .seconds = Seconds{static_cast<double>(batch) / samples_per_s}, .memory = memory};
}

GpuProfile two_sizes() { return {.points = {size_at(32, 100), size_at(64, 120)}, .scaling = {}}; }

RateCurve curve(const GpuProfile& gpu, std::optional<double> exponent = {}, const GpuType* type = nullptr) {
    Profile profile;
    profile.scaling_exponent = exponent;
    return RateCurve(profile, gpu, type);
}

TEST(RateCurve, TakesTheBestSizeThatFitsTheSliceOfTheBatch) {
    const RateCurve rates = curve(two_sizes());
    EXPECT_DOUBLE_EQ(rates.at(1, Samples{64}).samples_per_s, 120);
    EXPECT_DOUBLE_EQ(rates.at(1, Samples{63}).samples_per_s, 100);
    EXPECT_DOUBLE_EQ(rates.at(4, Samples{256}).samples_per_s, 480);
    EXPECT_DOUBLE_EQ(rates.at(4, Samples{253}).samples_per_s, 480);  // ceil(253 / 4) = 64
    EXPECT_DOUBLE_EQ(rates.at(4, Samples{252}).samples_per_s, 400);
}

TEST(RateCurve, TakesTheBestSizeOfAllWhereTheBatchIsUnknown) { EXPECT_DOUBLE_EQ(curve(two_sizes()).at(3, Samples{0}).samples_per_s, 360); }

TEST(RateCurve, ASmallerSizeMayBeTheFasterOne) {
    EXPECT_DOUBLE_EQ(curve({.points = {size_at(32, 100), size_at(64, 90)}, .scaling = {}}).at(1, Samples{64}).samples_per_s, 100);
}

TEST(RateCurve, LetsOnlyAsManyGpusWorkAsTheSmallestSizeFills) {
    const Rate rate = curve(two_sizes()).at(8, Samples{100});  // a slice of 13; 100 / 32 = 3 GPUs
    EXPECT_DOUBLE_EQ(rate.samples_per_s, 300);
    EXPECT_EQ(rate.working, 3);
}

TEST(RateCurve, RunsABatchBelowEverySizeInTheTimeOfTheSmallest) {
    EXPECT_DOUBLE_EQ(curve(two_sizes()).at(2, Samples{8}).samples_per_s, 8 / (32 / 100.0));
}

TEST(RateCurve, LeavesOutSizesThatDoNotFitTheMemory) {
    GpuType small{.name = Name("small"), .memory = Bytes{100}};
    const GpuProfile gpu{.points = {size_at(32, 100, Bytes{60}), size_at(64, 120, Bytes{200})}, .scaling = {}};
    EXPECT_DOUBLE_EQ(curve(gpu, {}, &small).at(1, Samples{64}).samples_per_s, 100);
    small.memory = Bytes{50};
    EXPECT_FALSE(curve(gpu, {}, &small).usable());
}

TEST(RateCurve, FollowsTheStatedExponent) {
    const Rate rate = curve(two_sizes(), 0.5).at(4, Samples{256});
    EXPECT_DOUBLE_EQ(rate.samples_per_s, 240);
    EXPECT_DOUBLE_EQ(rate.communication_fraction(), 0.5);  // linear would be 480
}

TEST(RateCurve, KeepsTheSliceOfTheMeasurementOnOtherNumbersOfGpus) {
    const RateCurve rates = curve(two_sizes(), 0.5);
    EXPECT_DOUBLE_EQ(rates.at_slice(1, Samples{128}, Samples{32}).samples_per_s, 100);
    EXPECT_DOUBLE_EQ(rates.at_slice(4, Samples{128}, Samples{32}).samples_per_s, 200);
}

class MeasuredScaling : public ::testing::Test {
 protected:
    MeasuredScaling() { gpu.scaling = {{.gpus = 2, .batch = {}, .samples_per_s = 200}, {.gpus = 8, .batch = {}, .samples_per_s = 400}}; }
    double at(int gpus) const { return curve(gpu).at(gpus, Samples{0}).samples_per_s; }
    GpuProfile gpu = two_sizes();
};

TEST_F(MeasuredScaling, GivesMeasuredPointsBackExactly) {
    EXPECT_EQ(at(2), 200);
    EXPECT_EQ(at(8), 400);
}

TEST_F(MeasuredScaling, IsStraightInLogLogBetweenPoints) { EXPECT_NEAR(at(4), 200 * std::sqrt(2), 1e-9); }

TEST_F(MeasuredScaling, StartsFromTheSingleGpuRate) { EXPECT_DOUBLE_EQ(at(1), 120); }

TEST_F(MeasuredScaling, KeepsTheLastExponentBeyondTheLastPoint) { EXPECT_NEAR(at(32), 800, 1e-9); }

TEST_F(MeasuredScaling, NeverGrowsFasterThanLinearlyBeyondTheLastPoint) {
    gpu.scaling = {{.gpus = 2, .batch = {}, .samples_per_s = 200}, {.gpus = 4, .batch = {}, .samples_per_s = 500}};
    EXPECT_NEAR(at(8), 1000, 1e-9);
}

TEST_F(MeasuredScaling, TakesThePointsOfTheJobsBatch) {
    gpu.scaling = {{.gpus = 2, .batch = Samples{64}, .samples_per_s = 111},
                   {.gpus = 2, .batch = Samples{256}, .samples_per_s = 222},
                   {.gpus = 2, .batch = {}, .samples_per_s = 333}};
    EXPECT_EQ(curve(gpu).at(2, Samples{64}).samples_per_s, 111);
    EXPECT_EQ(curve(gpu).at(2, Samples{256}).samples_per_s, 222);
    EXPECT_EQ(curve(gpu).at(2, Samples{100}).samples_per_s, 333);
}

}  // namespace
}  // namespace medley
