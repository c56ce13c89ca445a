#include <numeric>
#include <thread>

#include <gtest/gtest.h>

#include "executor/collectives/gloo/address_book.h"
#include "executor/collectives/gloo/gloo_algorithms.h"
#include "tests/support/rendezvous.h"

namespace medley::executor {
namespace {

void on_mesh(int size, const std::function<void(Mesh&, Scratch&)>& work) {
    test::Rendezvous addresses(size);
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < size; ++rank) {
        threads.emplace_back([&, rank] {
            const CollectiveSetup setup{
                .rank = rank, .size = size, .deadline = std::chrono::seconds(60), .exchange = addresses.exchange_for(rank)};
            Mesh mesh(setup);
            Scratch scratch;
            mesh.connect(setup);
            work(mesh, scratch);
        });
    }
}

// Each way over sizes that it would not be chosen for: empty parts, more segments than are received ahead.
void expect_right(int size, ReduceWay way) {
    on_mesh(size, [&](Mesh& mesh, Scratch& scratch) {
        for (const std::size_t count : {1u, 2u, 9u, 1000u, 400'001u}) {
            std::vector<std::int64_t> values(count);
            std::iota(values.begin(), values.end(), mesh.rank());
            all_reduce(mesh, scratch, {.data = values.data(), .elements = count, .type = ElementType::kInt64}, ReduceOp::kSum, way);
            for (std::size_t index = 0; index < count; ++index) {
                ASSERT_EQ(values[index], static_cast<std::int64_t>(index) * size + size * (size - 1) / 2) << count << " elements";
            }
        }
    });
}

TEST(ReduceWays, DirectExchangeSums) {
    for (const int size : {2, 3, 8}) { expect_right(size, ReduceWay::kDirect); }
}

TEST(ReduceWays, SumsByPartsAreRight) {
    for (const int size : {2, 3, 8}) { expect_right(size, ReduceWay::kByParts); }
}

TEST(ReduceWays, DoublingSumsForAnyNumberOfRanks) {
    for (const int size : {2, 3, 5, 9, 12}) { expect_right(size, ReduceWay::kDoubling); }
}

TEST(ReduceWays, RingSumsForAnyNumberOfRanks) {
    for (const int size : {2, 3, 9}) { expect_right(size, ReduceWay::kRing); }
}

TEST(ChooseWay, SmallBuffersGoDirectlyAndLargeOnesInPartsOrRound) {
    for (const int ranks : {2, 3, 8}) {
        EXPECT_EQ(choose_way(ranks, 1000), ReduceWay::kDirect);
        EXPECT_EQ(choose_way(ranks, 1'000'000), ReduceWay::kByParts);
        EXPECT_EQ(choose_way(ranks, 100'000'000), ReduceWay::kByParts);
    }
    EXPECT_EQ(choose_way(128, 8192), ReduceWay::kDoubling);
    EXPECT_EQ(choose_way(128, 100'000'000), ReduceWay::kRing);
}

TEST(ChooseWay, ManyRanksAreNeverAskedToTalkToAll) {
    for (std::size_t bytes = 1; bytes < (1u << 30); bytes *= 3) {
        const ReduceWay way = choose_way(kFewRanks + 1, bytes);
        EXPECT_TRUE(way == ReduceWay::kDoubling || way == ReduceWay::kRing);
    }
}

}  // namespace
}  // namespace medley::executor
