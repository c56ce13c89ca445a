#include "executor/exact/fixed_point.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "core/rng.h"
#include "executor/exact/fixed_point_formula.h"

namespace medley::executor {
namespace {

constexpr float kInfinityF = std::numeric_limits<float>::infinity();
constexpr float kNanF = std::numeric_limits<float>::quiet_NaN();

double random_double(Rng& rng, int lowest, int highest) {
    const double fraction = rng.uniform(0.5, 1) * (rng.chance(0.5) ? 1 : -1);
    return std::ldexp(fraction, static_cast<int>(rng.between(lowest, highest)));
}

// A whole number of at most 62 bits, of any length.
std::int64_t random_sum(Rng& rng) {
    const auto bits = static_cast<std::int64_t>(rng.next() >> rng.between(2, 63));
    return rng.chance(0.5) ? bits : -bits;
}

template <class Float>
struct Folded {
    FoldStatus status;
    std::vector<std::int64_t> sums;
};

template <class Float>
Folded<Float> folded(const std::vector<Float>& values, std::int64_t exponent, std::size_t addends = 1) {
    Folded<Float> result{.sums = std::vector<std::int64_t>(values.size(), 0)};
    result.status = fold(std::span<const Float>(values), exponent, addends, result.sums);
    return result;
}

TEST(Rounding, IsThatOfTheLibraryAtEverySize) {
    Rng rng(1);
    for (int count = 0; count < 200'000; ++count) {
        const double value = random_double(rng, -70, 62);
        ASSERT_EQ(round_to_int64(value), std::llrint(value)) << value;
    }
}

TEST(Rounding, TakesTiesToTheEvenNeighbour) {
    Rng rng(2);
    for (int count = 0; count < 100'000; ++count) {
        const double whole = std::floor(random_double(rng, 1, 51));
        ASSERT_EQ(round_to_int64(whole + 0.5), std::llrint(whole + 0.5)) << whole;
    }
    EXPECT_EQ(round_to_int64(0.5), 0);
    EXPECT_EQ(round_to_int64(1.5), 2);
    EXPECT_EQ(round_to_int64(-2.5), -2);
    EXPECT_EQ(round_to_int64(0x1p31 + 0.5), std::int64_t{1} << 31);
    EXPECT_EQ(round_to_int64(0x1p32 - 0.5), std::int64_t{1} << 32);
}

TEST(Conversion, ToDoubleIsThatOfTheProcessor) {
    Rng rng(3);
    for (int count = 0; count < 200'000; ++count) {
        const std::int64_t sum = random_sum(rng);
        ASSERT_EQ(double_of_int64(sum), static_cast<double>(sum)) << sum;
    }
}

// The reference has 64 bits of mantissa, so it holds any sum exactly and rounds once.
TEST(Conversion, ToFloatRoundsOnceAlsoWhereFloatsAreDenormal) {
    Rng rng(4);
    for (int count = 0; count < 200'000; ++count) {
        const std::int64_t sum = random_sum(rng);
        const int bits = static_cast<int>(rng.between(-60, 200));
        const auto expected = static_cast<float>(std::ldexp(static_cast<long double>(sum), -bits));
        ASSERT_EQ(fixed_point_value(sum, std::ldexp(1.0, -bits), float{}), expected) << sum << " " << bits;
    }
}

TEST(Fold, AddsWhatTheFormulaSaysForEachElement) {
    Rng rng(5);
    for (const std::size_t size : {0U, 1U, 7U, 1023U, 1024U, 1025U, 5000U}) {
        std::vector<float> values(size);
        for (float& value : values) { value = static_cast<float>(random_double(rng, -60, 3)); }
        std::vector<std::int64_t> expected(size);
        const double scale = std::ldexp(1.0, scale_bits(3, 8));
        for (std::size_t index = 0; index < size; ++index) { expected[index] = fixed_point_addend(values[index], scale, 8); }
        EXPECT_EQ(folded(values, 3, 8).sums, expected);
    }
}

TEST(Fold, OfSmallWholeNumbersAndBackIsExact) {
    const std::vector<float> values = {1, -2, 0.5F, 0, -0.0F, 3.25F};
    auto result = folded(values, 4, 2);
    fold(std::span<const float>(values), 4, 2, result.sums);
    std::vector<float> back(values.size());
    unfold(result.sums, 4, 2, std::span<float>(back));
    EXPECT_EQ(back, (std::vector<float>{2, -4, 1, 0, 0, 6.5F}));
}

TEST(Fold, KeepsAllBitsOfAFloatOverThirtyBitsOfRange) {
    Rng rng(6);
    for (int count = 0; count < 20'000; ++count) {
        const auto value = static_cast<float>(random_double(rng, 1 - kScaleMargin - 30, 0));
        auto result = folded(std::vector<float>{value}, 0, 8);
        std::vector<float> back(1);
        unfold(result.sums, 0, 8, std::span<float>(back));
        ASSERT_EQ(back[0], value);
    }
}

TEST(Fold, ReportsTheLeastExponentAboveTheLargestMagnitude) {
    EXPECT_EQ(folded<float>({0.75F, -0.25F}, 4).status.largest_exponent, 0);
    EXPECT_EQ(folded<float>({-1.0F}, 4).status.largest_exponent, 1);
    EXPECT_EQ(folded<float>({0x1p-149F}, 0).status.largest_exponent, -148);
    EXPECT_EQ(folded<double>({0x1p-1074}, 0).status.largest_exponent, -1073);
    EXPECT_EQ(folded<double>({std::numeric_limits<double>::max()}, kHighestExponent).status.largest_exponent, 1024);
    EXPECT_EQ(folded<float>({0, -0.0F}, 4).status.largest_exponent, kNoExponent);
    EXPECT_EQ(folded<float>({}, 4).status.largest_exponent, kNoExponent);
}

TEST(Fold, OfAValueAtTheBoundIsAnOverflowThatAddsNothing) {
    const auto result = folded<float>({1, 0.5F, -1}, 0);
    EXPECT_TRUE(result.status.overflow);
    EXPECT_EQ(result.status.largest_exponent, 1);
    EXPECT_EQ(result.sums, (std::vector<std::int64_t>{0, std::int64_t{1} << 60, 0}));
    EXPECT_FALSE(folded<float>({std::nextafter(1.0F, 0.0F)}, 0).status.overflow);
}

TEST(Fold, FindsAnOverflowWhereverItStands) {
    for (std::size_t place = 0; place < 3000; place += 7) {
        std::vector<float> values(3000, 0.25F);
        values[place] = -2;
        const auto result = folded(values, 1);
        ASSERT_TRUE(result.status.overflow);
        ASSERT_EQ(result.status.largest_exponent, 2);
        ASSERT_EQ(result.sums[place], 0);
        ASSERT_EQ(result.sums[(place + 1) % 3000], std::int64_t{1} << 58);
    }
}

TEST(Fold, ReportsInfinitiesAndNanAndCountsTheRest) {
    for (const float wrong : {kInfinityF, -kInfinityF, kNanF, -kNanF}) {
        const auto result = folded<float>({0.5F, wrong, 0.25F}, 0);
        EXPECT_TRUE(result.status.not_finite);
        EXPECT_FALSE(result.status.overflow);
        EXPECT_EQ(result.status.largest_exponent, 0);
        EXPECT_EQ(result.sums, (std::vector<std::int64_t>{std::int64_t{1} << 60, 0, std::int64_t{1} << 59}));
    }
}

TEST(Fold, ReportsAnOverflowBesideANan) {
    const auto result = folded<float>({kNanF, 4}, 0);
    EXPECT_TRUE(result.status.not_finite);
    EXPECT_TRUE(result.status.overflow);
    EXPECT_EQ(result.status.largest_exponent, 3);
}

TEST(Fold, TakesDenormalFloatsAsTheyAre) {
    const float smallest = std::numeric_limits<float>::denorm_min();
    auto result = folded<float>({smallest, -3 * smallest}, -140, 4);
    EXPECT_EQ(result.status.largest_exponent, -147);
    std::vector<float> back(2);
    unfold(result.sums, -140, 4, std::span<float>(back));
    EXPECT_EQ(back, (std::vector<float>{smallest, -3 * smallest}));
}

TEST(Fold, WorksAtBothEndsOfTheRangeOfDouble) {
    const double largest = std::numeric_limits<double>::max();
    auto large = folded<double>({largest, -largest / 3}, kHighestExponent, 4);
    EXPECT_FALSE(large.status.overflow);
    std::vector<double> back(2);
    unfold(large.sums, kHighestExponent, 4, std::span<double>(back));
    EXPECT_NEAR(back[0] / largest, 1, 0x1p-50);
    auto small = folded<double>({0x1p-901, -0x1p-950}, kLowestExponent, 4);
    unfold(small.sums, kLowestExponent, 4, std::span<double>(back));
    EXPECT_EQ(back, (std::vector<double>{0x1p-901, -0x1p-950}));
}

TEST(Unfold, OfASumBeyondTheTypeIsInfinite) {
    const std::vector<float> values = {std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest()};
    auto result = folded(values, 128, 2);
    fold(std::span<const float>(values), 128, 2, result.sums);
    std::vector<float> back(2);
    unfold(result.sums, 128, 2, std::span<float>(back));
    EXPECT_EQ(back, (std::vector<float>{kInfinityF, -kInfinityF}));
}

TEST(Guard, LeavesRoomForAsManyLargestAddendsAsAnnounced) {
    constexpr std::size_t kAddends = 1000;
    const std::vector<double> values = {std::nextafter(1.0, 0.0)};
    std::vector<std::int64_t> sums(1, 0);
    for (std::size_t count = 0; count < kAddends; ++count) {
        fold(std::span<const double>(values), 0, kAddends, sums);
        ASSERT_GT(sums[0], 0);
    }
    std::vector<double> back(1);
    unfold(sums, 0, kAddends, std::span<double>(back));
    EXPECT_NEAR(back[0], kAddends, 1e-9);
}

}  // namespace
}  // namespace medley::executor
