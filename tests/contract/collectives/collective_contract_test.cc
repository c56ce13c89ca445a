#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "core/rng.h"
#include "tests/contract/collectives/collectives_under_test.h"
#include "tests/support/rendezvous.h"

namespace medley::test {
namespace {

using executor::Buffer;
using executor::Collective;
using executor::ElementType;
using executor::ReduceOp;

class CollectiveContract : public testing::TestWithParam<CollectiveUnderTest> {
 protected:
    void on_ranks(int size, const std::function<void(Collective&)>& work) const { test::on_ranks(GetParam(), size, work); }

    template <class Value>
    Buffer buffer_of(std::vector<Value>& values) const {
        ElementType type = ElementType::kInt64;
        if constexpr (std::is_same_v<Value, float>) { type = ElementType::kFloat32; }
        if constexpr (std::is_same_v<Value, double>) { type = ElementType::kFloat64; }
        return {.data = values.data(), .elements = values.size(), .type = type, .memory = GetParam().memory};
    }
};

INSTANTIATE_TEST_SUITE_P(All, CollectiveContract, testing::ValuesIn(all_collectives()),
                         [](const auto& test) { return std::string(test.param.name); });

// Small whole numbers, which every type sums without rounding.
template <class Value>
std::vector<Value> numbers_of(int rank, std::size_t count) {
    Rng random(static_cast<std::uint64_t>(rank) + 1);
    std::vector<Value> numbers(count);
    for (Value& number : numbers) { number = static_cast<Value>(random.between(-1000, 1000)); }
    return numbers;
}

template <class Value>
std::vector<Value> sum_over_ranks(int ranks, std::size_t count) {
    std::vector<Value> sum(count);
    for (int rank = 0; rank < ranks; ++rank) {
        const auto numbers = numbers_of<Value>(rank, count);
        std::transform(sum.begin(), sum.end(), numbers.begin(), sum.begin(), std::plus<>());
    }
    return sum;
}

// Fewer elements than ranks, odd counts, several segments of several chunks.
const std::vector<std::size_t> kCounts = {0, 1, 2, 3, 7, 1000, 70'001, 400'003};

template <class Value>
void expect_sums(Collective& collective, const std::function<Buffer(std::vector<Value>&)>& buffer_of) {
    for (const std::size_t count : kCounts) {
        auto values = numbers_of<Value>(collective.rank(), count);
        const auto outcome = collective.all_reduce(buffer_of(values), ReduceOp::kSum);
        ASSERT_TRUE(outcome) << outcome.error().detail;
        ASSERT_EQ(values, sum_over_ranks<Value>(collective.size(), count)) << count << " elements";
    }
}

TEST_P(CollectiveContract, SumsFloats) {
    for (const int size : {1, 2, 3, 5}) {
        on_ranks(size, [&](Collective& collective) { expect_sums<float>(collective, [&](auto& values) { return buffer_of(values); }); });
    }
}

TEST_P(CollectiveContract, SumsDoubles) {
    on_ranks(3, [&](Collective& collective) { expect_sums<double>(collective, [&](auto& values) { return buffer_of(values); }); });
}

TEST_P(CollectiveContract, SumsWholeNumbersAndWraps) {
    on_ranks(4, [&](Collective& collective) {
        expect_sums<std::int64_t>(collective, [&](auto& values) { return buffer_of(values); });
        std::vector<std::int64_t> values = {std::numeric_limits<std::int64_t>::max(), -collective.rank()};
        ASSERT_TRUE(collective.all_reduce(buffer_of(values), ReduceOp::kSum));
        EXPECT_EQ(values, (std::vector<std::int64_t>{-4, -6}));  // 4 (2^63 - 1) = 2^65 - 4
    });
}

TEST_P(CollectiveContract, TakesTheGreatestWholeNumbers) {
    on_ranks(5, [&](Collective& collective) {
        for (const std::size_t count : kCounts) {
            std::vector<std::int64_t> values(count);
            for (std::size_t index = 0; index < count; ++index) {
                values[index] = static_cast<int>(index % 5) == collective.rank() ? -1 : std::numeric_limits<std::int64_t>::min();
            }
            ASSERT_TRUE(collective.all_reduce(buffer_of(values), ReduceOp::kMax));
            ASSERT_EQ(values, std::vector<std::int64_t>(count, -1)) << count << " elements";
        }
    });
}

TEST_P(CollectiveContract, ManyRanksSum) {
    for (const int size : {9, 16}) {
        on_ranks(size, [&](Collective& collective) {
            for (const std::size_t count : {1u, 5u, 100'003u}) {
                auto values = numbers_of<float>(collective.rank(), count);
                ASSERT_TRUE(collective.all_reduce(buffer_of(values), ReduceOp::kSum));
                ASSERT_EQ(values, sum_over_ranks<float>(collective.size(), count));
            }
        });
    }
}

TEST_P(CollectiveContract, EveryRankGetsTheSameBits) {
    for (const int size : {2, 3, 11}) {
        on_ranks(size, [&](Collective& collective) {
            for (const std::size_t count : {3u, 1001u, 50'003u}) {
                Rng random(static_cast<std::uint64_t>(collective.rank()) * 77 + count);
                std::vector<float> values(count);
                for (float& value : values) { value = static_cast<float>(std::exp(random.normal(0, 8)) * (random.chance(0.5) ? 1 : -1)); }
                values[0] = std::nanf(collective.rank() % 2 == 0 ? "1" : "2");
                ASSERT_TRUE(collective.all_reduce(buffer_of(values), ReduceOp::kSum));
                const std::string bytes(reinterpret_cast<const char*>(values.data()), count * sizeof(float));
                const auto all = collective.all_gather(bytes);
                ASSERT_TRUE(all);
                for (const std::string& other : *all) { ASSERT_TRUE(other == all->front()) << size << " ranks, " << count << " elements"; }
            }
        });
    }
}

TEST_P(CollectiveContract, BroadcastsFromEachRoot) {
    for (const int size : {1, 2, 3, 9}) {
        on_ranks(size, [&](Collective& collective) {
            for (const std::size_t count : {0u, 1u, 1000u, 3'000'001u}) {
                for (int root = 0; root<size; root += count> 1000 ? 2 : 1) {
                    std::vector<std::byte> bytes(count, static_cast<std::byte>(collective.rank() == root ? root + 1 : 0));
                    if (collective.rank() == root && count > 2) { bytes[count - 2] = std::byte{99}; }
                    ASSERT_TRUE(collective.broadcast(bytes, root));
                    std::vector<std::byte> expected(count, static_cast<std::byte>(root + 1));
                    if (count > 2) { expected[count - 2] = std::byte{99}; }
                    ASSERT_TRUE(bytes == expected) << "root " << root << ", " << count << " bytes";
                }
            }
        });
    }
}

TEST_P(CollectiveContract, GathersUnequalLengthsByRank) {
    for (const int size : {1, 2, 3, 5, 12}) {
        on_ranks(size, [&](Collective& collective) {
            const auto blob_of = [](int rank, int round) {
                return std::string(static_cast<std::size_t>(rank) * 1000 * static_cast<std::size_t>(round), static_cast<char>('a' + rank)) +
                       "|";
            };
            for (const int round : {0, 1, 40}) {
                const auto all = collective.all_gather(blob_of(collective.rank(), round));
                ASSERT_TRUE(all);
                ASSERT_EQ(all->size(), static_cast<std::size_t>(size));
                for (int rank = 0; rank < size; ++rank) { ASSERT_EQ((*all)[static_cast<std::size_t>(rank)], blob_of(rank, round)); }
            }
            const auto nothing = collective.all_gather("");
            ASSERT_TRUE(nothing);
            ASSERT_EQ(*nothing, std::vector<std::string>(static_cast<std::size_t>(size)));
        });
    }
}

TEST_P(CollectiveContract, CallsOfAllKindsAndSizesFollowOneAnother) {
    on_ranks(4, [&](Collective& collective) {
        Rng random(5);  // the same calls on every rank
        for (int call = 0; call < 80; ++call) {
            const auto count = static_cast<std::size_t>(random.between(0, random.chance(0.1) ? 200'000 : 300));
            const auto what = random.below(3);
            if (what == 0) {
                auto values = numbers_of<std::int64_t>(collective.rank(), count);
                ASSERT_TRUE(collective.all_reduce(buffer_of(values), ReduceOp::kSum));
                ASSERT_EQ(values, sum_over_ranks<std::int64_t>(4, count));
            } else if (what == 1) {
                const int root = static_cast<int>(random.below(4));
                std::vector<std::byte> bytes(count, static_cast<std::byte>(collective.rank()));
                ASSERT_TRUE(collective.broadcast(bytes, root));
                ASSERT_TRUE(bytes == std::vector<std::byte>(count, static_cast<std::byte>(root)));
            } else {
                const auto all = collective.all_gather(std::string(count, static_cast<char>('0' + collective.rank())));
                ASSERT_TRUE(all);
                ASSERT_EQ(all->back(), std::string(count, '3'));
            }
        }
    });
}

TEST_P(CollectiveContract, RanksKnowTheirPlace) {
    Rendezvous places(3);
    on_ranks(3, [&](Collective& collective) {
        EXPECT_EQ(collective.size(), 3);
        const auto all = places.meet(collective.rank(), "");
        EXPECT_TRUE(all) << "two ranks with the same number";
    });
}

}  // namespace
}  // namespace medley::test
