#include "executor/data/sample_order.h"

#include <algorithm>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

namespace medley::executor {
namespace {

using Samples = std::vector<std::int64_t>;

Samples batch(const SampleOrder& order, std::int64_t step, std::uint32_t nodes) {
    Samples all;
    Samples part;
    for (std::uint32_t node = 0; node < nodes; ++node) {
        order.fill(step, node, part);
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

Samples epoch(const SampleOrder& order, std::int64_t samples, std::int64_t number) {
    Samples all;
    for (std::int64_t position = 0; position < samples; ++position) { all.push_back(order.sample_at(number * samples + position)); }
    return all;
}

TEST(SampleOrder, WithoutShufflingIsThatOfTheDataSet) {
    const SampleOrder order(10, Samples{2, 1}, 7, false);
    EXPECT_EQ(order.global_batch(), 3);
    EXPECT_EQ(batch(order, 0, 2), (Samples{0, 1, 2}));
    EXPECT_EQ(batch(order, 2, 2), (Samples{6, 7, 8}));
    EXPECT_EQ(order.position_of(2, 1), 8);
}

TEST(SampleOrder, GoesOnIntoTheNextEpochWithinABatch) {
    const SampleOrder plain(10, Samples{2, 2}, 7, false);
    EXPECT_EQ(batch(plain, 2, 2), (Samples{8, 9, 0, 1}));
    EXPECT_EQ(plain.epoch_at(2), 0);
    EXPECT_EQ(plain.epoch_at(3), 1);
    const SampleOrder shuffled(10, Samples{2, 2}, 7);
    const Samples first = epoch(shuffled, 10, 0);
    const Samples second = epoch(shuffled, 10, 1);
    EXPECT_EQ(batch(shuffled, 2, 2), (Samples{first[8], first[9], second[0], second[1]}));
}

TEST(SampleOrder, MayHaveABatchOfSeveralEpochs) {
    const SampleOrder order(3, Samples{8}, 1);
    Samples counted = batch(order, 0, 1);
    counted.resize(6);
    std::sort(counted.begin(), counted.end());
    EXPECT_EQ(counted, (Samples{0, 0, 1, 1, 2, 2}));
}

TEST(SampleOrder, OfOneSampleIsThatSample) {
    const SampleOrder order(1, Samples{1}, 3);
    EXPECT_EQ(batch(order, 5, 1), Samples{0});
}

TEST(SampleOrder, DiffersFromEpochToEpochAndSeedToSeed) {
    const SampleOrder order(1000, Samples{1}, 5);
    EXPECT_NE(epoch(order, 1000, 0), epoch(order, 1000, 1));
    EXPECT_NE(epoch(order, 1000, 0), epoch(SampleOrder(1000, Samples{1}, 6), 1000, 0));
    EXPECT_EQ(epoch(order, 1000, 3), epoch(SampleOrder(1000, Samples{1}, 5), 1000, 3));
}

// A fair permutation of 10000 has about one fixed point, neighbours that lie 3333 apart on average, and no preference for a place.
TEST(SampleOrder, LooksLikeChance) {
    constexpr std::int64_t kSamples = 10'000;
    const Samples shuffled = epoch(SampleOrder(kSamples, Samples{1}, 11), kSamples, 0);
    int fixed = 0;
    double distance = 0;
    std::int64_t first_half_from_first_half = 0;
    for (std::int64_t position = 0; position < kSamples; ++position) {
        const std::int64_t sample = shuffled[static_cast<std::size_t>(position)];
        fixed += sample == position ? 1 : 0;
        if (position > 0) { distance += static_cast<double>(std::abs(sample - shuffled[static_cast<std::size_t>(position - 1)])); }
        first_half_from_first_half += position < kSamples / 2 && sample < kSamples / 2 ? 1 : 0;
    }
    EXPECT_LE(fixed, 8);
    EXPECT_NEAR(distance / static_cast<double>(kSamples), kSamples / 3.0, 120);
    EXPECT_NEAR(static_cast<double>(first_half_from_first_half), kSamples / 4.0, 150);
}

}  // namespace
}  // namespace medley::executor
