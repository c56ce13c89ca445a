/// Over any run, with virtual nodes of any sizes that move between workers at any step, each sample is worked on exactly once per epoch.

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "core/rng.h"
#include "executor/data/sample_order.h"

namespace medley::executor {
namespace {

std::uint64_t seeds() { return std::getenv("MEDLEY_LONG") != nullptr ? 50'000 : 1000; }

using Workers = std::vector<std::vector<std::uint32_t>>;

Workers random_mapping(std::size_t nodes, Rng& rng) {
    Workers workers(static_cast<std::size_t>(rng.between(1, 8)));
    for (std::size_t node = 0; node < nodes; ++node) { workers[rng.below(workers.size())].push_back(static_cast<std::uint32_t>(node)); }
    return workers;
}

// The samples of a step as the workers see them, each with a shard of its own idea of the order.
std::multiset<std::int64_t> step_of(const SampleOrder& order, std::int64_t step, const Workers& workers) {
    std::multiset<std::int64_t> used;
    std::vector<std::int64_t> samples;
    for (const auto& nodes : workers) {
        for (const std::uint32_t node : nodes) {
            order.fill(step, node, samples);
            used.insert(samples.begin(), samples.end());
        }
    }
    return used;
}

// Steps until the stream is at an epoch's end: after samples / gcd steps at the latest, so few samples are taken.
TEST(Sharding, UsesEachSampleOncePerEpochWhateverMovesWhen) {
    for (std::uint64_t seed = 0; seed < seeds(); ++seed) {
        Rng rng = Rng(seed).fork("sharding");
        const std::int64_t samples = rng.between(1, 60);
        std::vector<std::int64_t> sizes(static_cast<std::size_t>(rng.between(1, 9)));
        for (std::int64_t& size : sizes) { size = rng.between(1, 7); }
        const SampleOrder order(samples, sizes, seed);
        Workers workers = random_mapping(sizes.size(), rng);
        std::map<std::int64_t, std::int64_t> uses;
        std::int64_t step = 0;
        do {
            if (rng.chance(0.3)) { workers = random_mapping(sizes.size(), rng); }
            for (const std::int64_t sample : step_of(order, step, workers)) { ++uses[sample]; }
            ++step;
        } while (step * order.global_batch() % samples != 0);
        const std::int64_t epochs = step * order.global_batch() / samples;
        ASSERT_EQ(static_cast<std::int64_t>(uses.size()), samples) << "seed " << seed;
        for (const auto& [sample, count] : uses) { ASSERT_EQ(count, epochs) << "seed " << seed << ", sample " << sample; }
    }
}

TEST(Sharding, OfEachEpochIsAPermutation) {
    for (std::uint64_t seed = 0; seed < seeds() / 10; ++seed) {
        Rng rng = Rng(seed).fork("permutation");
        const std::int64_t samples = rng.between(1, 2000);
        const std::int64_t epoch = rng.between(0, 1'000'000);
        const SampleOrder order(samples, std::vector<std::int64_t>{1}, rng.next());
        std::vector<bool> seen(static_cast<std::size_t>(samples), false);
        for (std::int64_t position = 0; position < samples; ++position) {
            const auto sample = static_cast<std::size_t>(order.sample_at(epoch * samples + position));
            ASSERT_LT(sample, seen.size());
            ASSERT_FALSE(seen[sample]);
            seen[sample] = true;
        }
    }
}

TEST(Sharding, FillsWhatTheStreamSays) {
    for (std::uint64_t seed = 0; seed < seeds() / 10; ++seed) {
        Rng rng = Rng(seed).fork("stream");
        const std::vector<std::int64_t> sizes = {rng.between(1, 20), rng.between(1, 20)};
        const SampleOrder order(rng.between(1, 30), sizes, seed, rng.chance(0.7));
        const std::int64_t step = rng.between(0, 100);
        std::vector<std::int64_t> samples;
        order.fill(step, 1, samples);
        ASSERT_EQ(static_cast<std::int64_t>(samples.size()), sizes[1]);
        for (std::int64_t index = 0; index < sizes[1]; ++index) {
            ASSERT_EQ(samples[static_cast<std::size_t>(index)], order.sample_at(order.position_of(step, 1) + index));
        }
    }
}

}  // namespace
}  // namespace medley::executor
