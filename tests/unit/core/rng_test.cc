#include "core/rng.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace medley {
namespace {

/// xoshiro256** as its authors state it (Blackman and Vigna 2018, section 4), written independently of core/rng.cc.
struct ReferenceXoshiro {
    std::uint64_t s[4];

    static std::uint64_t rotated_left(std::uint64_t x, unsigned k) { return (x << k) | (x >> (64 - k)); }

    std::uint64_t next() {
        const std::uint64_t result = rotated_left(s[1] * 5, 7) * 9;
        const std::uint64_t t = s[1] << 17;
        s[2] = s[2] ^ s[0];
        s[3] = s[3] ^ s[1];
        s[1] = s[1] ^ s[2];
        s[0] = s[0] ^ s[3];
        s[2] = s[2] ^ t;
        s[3] = rotated_left(s[3], 45);
        return result;
    }
};

// From state (1, 2, 3, 4), by hand: the first result is rotl(2 x 5, 7) x 9 = 1280 x 9 = 11520. The state becomes s2 = 3^1 = 2, s3 = 4^2
// = 6, s1 = 2^2 = 0, ...; s1 = 0 makes the second result 0.
TEST(ReferenceXoshiro, FollowsTheRecurrence) {
    ReferenceXoshiro reference{{1, 2, 3, 4}};
    EXPECT_EQ(reference.next(), 11520U);
    EXPECT_EQ(reference.next(), 0U);
    EXPECT_EQ(reference.next(), 1509978240U);
    EXPECT_EQ(reference.next(), 1215971899390074240U);
}

// The four words of state are the first four numbers of splitmix64 from seed 0, which are published with the generator.
TEST(Rng, FromSeedZeroIsXoshiroSeededBySplitmix) {
    ReferenceXoshiro reference{{0xe220a8397b1dcdafULL, 0x6e789e6aa1b965f4ULL, 0x06c45d188009454fULL, 0xf88bb8a8724c81ecULL}};
    Rng rng(0);
    for (int draw = 0; draw < 1000; ++draw) { ASSERT_EQ(rng.next(), reference.next()) << draw; }
}

TEST(Rng, FirstNumbersOfSeedZeroNeverChange) {
    Rng rng(0);
    EXPECT_EQ(rng.next(), 0x99ec5f36cb75f2b4ULL);
    EXPECT_EQ(rng.next(), 0xbf6e1f784956452aULL);
    EXPECT_EQ(rng.next(), 0x1a5f849d4933e6e0ULL);
}

TEST(Rng, GivesOneStreamPerSeed) {
    Rng a(1);
    Rng again(1);
    Rng b(2);
    EXPECT_EQ(a.next(), again.next());
    EXPECT_NE(a.next(), b.next());
}

TEST(Rng, UniformHas53BitsAndNeverReachesOne) {
    Rng rng(3);
    double sum = 0;
    for (int draw = 0; draw < 100'000; ++draw) {
        const double number = rng.uniform();
        ASSERT_GE(number, 0);
        ASSERT_LT(number, 1);
        ASSERT_EQ(std::ldexp(number, 53), std::floor(std::ldexp(number, 53)));
        sum += number;
    }
    EXPECT_NEAR(sum / 100'000, 0.5, 5 * std::sqrt(1.0 / 12 / 100'000));  // five standard errors
}

TEST(Rng, BelowIsEvenOverABoundThatIsNoPowerOfTwo) {
    Rng rng(4);
    std::map<std::uint64_t, int> count;
    for (int draw = 0; draw < 60'000; ++draw) { ++count[rng.below(6)]; }
    EXPECT_EQ(count.size(), 6U);
    for (const auto& [number, times] : count) { EXPECT_NEAR(times, 10'000, 5 * std::sqrt(60'000 * (1.0 / 6) * (5.0 / 6))) << number; }
}

// With bound 3 x 2^62 a plain `% bound` of 64-bit numbers would give the lowest third half of all draws; without bias it gets a third.
TEST(Rng, BelowHasNoBiasAtHugeBounds) {
    Rng rng(5);
    const std::uint64_t bound = 3ULL << 62U;
    int low = 0;
    for (int draw = 0; draw < 30'000; ++draw) { low += rng.below(bound) < (1ULL << 62U) ? 1 : 0; }
    EXPECT_NEAR(low, 10'000, 5 * std::sqrt(30'000 * (1.0 / 3) * (2.0 / 3)));
}

TEST(Rng, BelowOneIsZero) { EXPECT_EQ(Rng(6).below(1), 0U); }

TEST(Rng, BetweenIncludesBothEnds) {
    Rng rng(7);
    std::map<std::int64_t, int> count;
    for (int draw = 0; draw < 1000; ++draw) { ++count[rng.between(-1, 1)]; }
    EXPECT_EQ(count.size(), 3U);
    EXPECT_EQ(rng.between(5, 5), 5);
}

TEST(Rng, BetweenTakesTheWholeRange) {
    Rng rng(8);
    Rng same(8);
    const auto low = std::numeric_limits<std::int64_t>::min();
    const auto high = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(static_cast<std::uint64_t>(rng.between(low, high)), same.next() + static_cast<std::uint64_t>(low));
}

TEST(Rng, ExponentialHasItsMeanAndMedian) {
    Rng rng(9);
    std::vector<double> numbers(100'000);
    for (double& number : numbers) { number = rng.exponential(2); }
    EXPECT_NEAR(std::accumulate(numbers.begin(), numbers.end(), 0.0) / 100'000, 2, 5 * 2 / std::sqrt(100'000.0));
    EXPECT_GE(*std::min_element(numbers.begin(), numbers.end()), 0);
    std::nth_element(numbers.begin(), numbers.begin() + 50'000, numbers.end());
    EXPECT_NEAR(numbers[50'000], 2 * std::log(2), 0.05);
}

TEST(Rng, NormalHasItsMeanAndDeviation) {
    Rng rng(10);
    double sum = 0;
    double squares = 0;
    int within_one = 0;
    for (int draw = 0; draw < 100'000; ++draw) {
        const double number = rng.normal(3, 2);
        sum += number;
        squares += (number - 3) * (number - 3);
        within_one += std::abs(number - 3) < 2 ? 1 : 0;
    }
    EXPECT_NEAR(sum / 100'000, 3, 5 * 2 / std::sqrt(100'000.0));
    EXPECT_NEAR(std::sqrt(squares / 100'000), 2, 0.03);
    EXPECT_NEAR(within_one, 68'269, 5 * std::sqrt(100'000 * 0.6827 * 0.3173));
}

TEST(Rng, ChanceHitsItsProbability) {
    Rng rng(11);
    int hits = 0;
    for (int draw = 0; draw < 10'000; ++draw) { hits += rng.chance(0.25) ? 1 : 0; }
    EXPECT_NEAR(hits, 2500, 5 * std::sqrt(10'000 * 0.25 * 0.75));
    EXPECT_FALSE(rng.chance(0));
    EXPECT_TRUE(rng.chance(1));
}

TEST(Rng, AForkDependsOnSeedAndNameNotOnNumbersDrawn) {
    Rng fresh(12);
    Rng used(12);
    for (int draw = 0; draw < 10; ++draw) { used.next(); }
    EXPECT_EQ(fresh.fork("arrivals").next(), used.fork("arrivals").next());
    EXPECT_NE(fresh.fork("arrivals").next(), fresh.fork("durations").next());
    EXPECT_NE(fresh.fork("arrivals").next(), Rng(13).fork("arrivals").next());
    EXPECT_NE(fresh.fork("arrivals").next(), Rng(12).next());
}

TEST(Rng, ForkingDoesNotShiftTheStream) {
    Rng forked(14);
    Rng plain(14);
    static_cast<void>(forked.fork("other").next());
    EXPECT_EQ(forked.next(), plain.next());
}

// The correlation of two independent uniform streams of n numbers has standard error 1/sqrt(n).
TEST(Rng, ForksOfOneStreamAreUncorrelated) {
    const Rng parent(15);
    Rng a = parent.fork("a");
    Rng b = parent.fork("b");
    double products = 0;
    for (int draw = 0; draw < 100'000; ++draw) { products += (a.uniform() - 0.5) * (b.uniform() - 0.5); }
    EXPECT_LT(std::abs(products / 100'000 * 12), 5 / std::sqrt(100'000.0));
}

TEST(Rng, ShufflingReachesEveryOrderEvenly) {
    Rng rng(16);
    std::map<std::vector<int>, int> count;
    for (int draw = 0; draw < 60'000; ++draw) {
        std::vector<int> items = {1, 2, 3};
        rng.shuffle(std::span<int>(items));
        ++count[items];
    }
    EXPECT_EQ(count.size(), 6U);
    for (const auto& [order, times] : count) { EXPECT_NEAR(times, 10'000, 5 * std::sqrt(60'000 * (1.0 / 6) * (5.0 / 6))); }
}

TEST(RngDeathTest, RefusesEmptyRanges) {
    EXPECT_DEATH(Rng(17).below(0), "broken invariant");
    EXPECT_DEATH(Rng(17).between(2, 1), "broken invariant");
    EXPECT_DEATH(Rng(17).exponential(0), "broken invariant");
}

}  // namespace
}  // namespace medley
