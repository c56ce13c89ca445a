#include "tests/support/collective_ranks.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/rendezvous.h"

namespace medley::test {

void on_ranks(const CollectiveUnderTest& kind, int size, const std::function<void(executor::Collective&)>& work,
              std::chrono::milliseconds deadline) {
    Rendezvous addresses(size);
    const auto run = [&](int rank) {
        executor::CollectiveSetup setup{.rank = rank, .size = size, .deadline = deadline, .exchange = addresses.exchange_for(rank)};
        executor::CollectiveMade made = kind.connect(setup);
        if (!made) { addresses.break_off(rank); }
        ASSERT_TRUE(made) << kind.name << ", rank " << rank << ": " << made.error().detail;
        work(**made);
    };
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < size; ++rank) { threads.emplace_back(run, rank); }
}

}  // namespace medley::test
