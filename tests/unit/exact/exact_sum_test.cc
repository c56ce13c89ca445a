#include "executor/exact/exact_sum.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <boost/multiprecision/cpp_int.hpp>

#include "core/rng.h"

namespace medley::executor {
namespace {

using Integer = boost::multiprecision::cpp_int;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kSmallest = std::numeric_limits<double>::denorm_min();

// In units of 2^-1074, in which every finite double is whole.
Integer units(double value) {
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    const Integer mantissa = static_cast<std::int64_t>(std::ldexp(fraction, 53));
    const int shift = exponent - 53 + 1074;
    return shift >= 0 ? Integer(mantissa << shift) : Integer(mantissa >> -shift);
}

double sum_of(const std::vector<double>& values) {
    ExactSum sum;
    for (const double value : values) { sum.add(value); }
    return sum.value();
}

bool even(double value) {
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    const int bits = std::min(53, exponent + 1074);  // fewer for denormals
    return std::fmod(std::ldexp(fraction, bits), 2.0) == 0;
}

// By definition: no neighbour is nearer, and of two equally near the even one.
void expect_nearest(const Integer& exact, double value) {
    const Integer distance = abs(exact - units(value));
    for (const double neighbour : {std::nextafter(value, kInfinity), std::nextafter(value, -kInfinity)}) {
        if (std::isinf(neighbour)) { continue; }
        const Integer other = abs(exact - units(neighbour));
        ASSERT_TRUE(distance < other || (distance == other && even(value))) << value;
    }
}

double random_value(Rng& rng, int lowest, int highest) {
    return std::ldexp(rng.uniform(-1, 1), static_cast<int>(rng.between(lowest, highest)));
}

void expect_exact_sums(std::uint64_t seed, int lowest, int highest) {
    Rng rng(seed);
    for (int round = 0; round < 300; ++round) {
        ExactSum sum;
        Integer exact = 0;
        for (std::uint64_t count = rng.between(1, 40); count > 0; --count) {
            const double value = random_value(rng, lowest, highest);
            sum.add(value);
            exact += units(value);
        }
        expect_nearest(exact, sum.value());
    }
}

TEST(ExactSum, OfNumbersOfOneSizeIsTheNearestDouble) { expect_exact_sums(1, 0, 3); }
TEST(ExactSum, OfNumbersOfAllSizesIsTheNearestDouble) { expect_exact_sums(2, -1073, 1010); }
TEST(ExactSum, OfDenormalsIsTheNearestDouble) { expect_exact_sums(3, -1073, -1020); }
TEST(ExactSum, OfNumbersFarApartIsTheNearestDouble) { expect_exact_sums(4, -60, 60); }

TEST(ExactSum, LosesNothingToCancellation) {
    EXPECT_EQ(sum_of({1e300, 1, -1e300}), 1);
    EXPECT_EQ(sum_of({kLargest, kSmallest, -kLargest}), kSmallest);
    EXPECT_EQ(sum_of({1, -1}), 0);
    EXPECT_EQ(sum_of({}), 0);
}

TEST(ExactSum, TakesTiesToTheEvenNeighbour) {
    EXPECT_EQ(sum_of({1, 0x1p-53}), 1);
    EXPECT_EQ(sum_of({1, 0x1p-53, 0x1p-1074}), 1 + 0x1p-52);
    EXPECT_EQ(sum_of({1 + 0x1p-52, 0x1p-53}), 1 + 0x1p-51);
    EXPECT_EQ(sum_of({-1, -0x1p-53}), -1);
    EXPECT_EQ(sum_of({2, -0x1p-53}), 2);
}

TEST(ExactSum, MayPassThroughWhatNoDoubleHolds) {
    EXPECT_EQ(sum_of({kLargest, kLargest, -kLargest, -kLargest, 3}), 3);
    EXPECT_EQ(sum_of({kLargest, kLargest}), kInfinity);
    EXPECT_EQ(sum_of({-kLargest, -kLargest}), -kInfinity);
    EXPECT_EQ(sum_of({kLargest, 0x1p969}), kLargest);
    EXPECT_EQ(sum_of({kLargest, 0x1p970}), kInfinity);
}

TEST(ExactSum, TreatsInfinitiesAndNanAsAdditionDoes) {
    EXPECT_EQ(sum_of({1, kInfinity, kInfinity}), kInfinity);
    EXPECT_EQ(sum_of({-kInfinity, 5}), -kInfinity);
    EXPECT_TRUE(std::isnan(sum_of({kInfinity, 1, -kInfinity})));
    EXPECT_TRUE(std::isnan(sum_of({1, kNan})));
}

TEST(ExactSum, IsTheSameInAnyOrderAndGrouping) {
    Rng rng(5);
    std::vector<double> values(500);
    for (double& value : values) { value = random_value(rng, -300, 300); }
    const double expected = sum_of(values);
    for (int round = 0; round < 20; ++round) {
        rng.shuffle(std::span<double>(values));
        std::vector<ExactSum> parts(rng.between(1, 7));
        for (const double value : values) { parts[rng.below(parts.size())].add(value); }
        for (std::size_t part = 1; part < parts.size(); ++part) {
            for (std::size_t word = 0; word < ExactSum::kWords; ++word) { parts[0].words()[word] += parts[part].words()[word]; }
        }
        EXPECT_EQ(parts[0].value(), expected);
    }
}

}  // namespace
}  // namespace medley::executor
