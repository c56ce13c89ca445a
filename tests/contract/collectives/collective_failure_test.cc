#include <thread>

#include <gtest/gtest.h>

#include "tests/contract/collectives/collectives_under_test.h"
#include "tests/support/rendezvous.h"

namespace medley::test {
namespace {

using executor::Buffer;
using executor::Collective;
using executor::CollectiveFailure;
using executor::ElementType;
using executor::Outcome;
using executor::ReduceOp;
using std::chrono::milliseconds;
using Kind = CollectiveFailure::Kind;

class CollectiveFailures : public testing::TestWithParam<CollectiveUnderTest> {
 protected:
    Outcome reduce(Collective& collective, std::size_t count) const {
        std::vector<float> values(count, 1);
        return collective.all_reduce({.data = values.data(), .elements = count, .memory = GetParam().memory}, ReduceOp::kSum);
    }
    // Until it fails, as a training loop would; a failure may come a call later than its cause.
    CollectiveFailure reduce_until_failure(Collective& collective, std::size_t count) const {
        while (true) {
            const Outcome outcome = reduce(collective, count);
            if (!outcome) { return outcome.error(); }
        }
    }
    void expect_broken(Collective& collective) const {
        std::vector<std::byte> bytes(8);
        EXPECT_FALSE(reduce(collective, 4));
        EXPECT_FALSE(reduce(collective, 0));
        EXPECT_FALSE(collective.broadcast(bytes, 0));
        EXPECT_FALSE(collective.all_gather("x"));
    }
};

INSTANTIATE_TEST_SUITE_P(All, CollectiveFailures, testing::ValuesIn(all_collectives()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(CollectiveFailures, ARankThatLeavesMakesTheOthersFail) {
    for (const std::size_t count : {10u, 30'000u, 500'000u}) {
        for (const int size : {2, 4}) {
            on_ranks(GetParam(), size, [&](Collective& collective) {
                ASSERT_TRUE(reduce(collective, count));
                if (collective.rank() == size - 1) { return; }
                EXPECT_EQ(reduce_until_failure(collective, count).kind, Kind::kPeer);
                expect_broken(collective);
            });
        }
    }
}

TEST_P(CollectiveFailures, AFailureSpreadsToRanksThatTheLostOneDoesNotTalkTo) {
    on_ranks(GetParam(), 12, [&](Collective& collective) {
        ASSERT_TRUE(reduce(collective, 10));
        if (collective.rank() == 5) { return; }
        reduce_until_failure(collective, 200'000);
        expect_broken(collective);
    });
}

TEST_P(CollectiveFailures, ARankThatLeavesBreaksBroadcastsAndGathers) {
    for (const bool gather : {false, true}) {
        on_ranks(GetParam(), 3, [&](Collective& collective) {
            ASSERT_TRUE(reduce(collective, 10));
            if (collective.rank() == 0) { return; }
            std::vector<std::byte> bytes(1000);
            if (gather) {
                EXPECT_FALSE(collective.all_gather("abc"));
            } else {
                EXPECT_FALSE(collective.broadcast(bytes, 0));
            }
            expect_broken(collective);
        });
    }
}

TEST_P(CollectiveFailures, ARankThatHangsIsNoticedByTheDeadline) {
    Rendezvous everybody_else(3);
    on_ranks(
        GetParam(), 3,
        [&](Collective& collective) {
            if (collective.rank() == 1) {
                everybody_else.meet(1, "");  // hangs until the others have failed
                return;
            }
            const Outcome outcome = reduce(collective, 1000);
            ASSERT_FALSE(outcome);
            // Who notices first breaks off, and the other may see that instead.
            EXPECT_NE(outcome.error().kind, Kind::kAborted);
            expect_broken(collective);
            everybody_else.meet(collective.rank(), "");
        },
        milliseconds(200));
}

TEST_P(CollectiveFailures, AbortEndsACallInProgress) {
    for (const std::size_t count : {10u, 500'000u}) {
        Rendezvous end(2);
        on_ranks(GetParam(), 2, [&](Collective& collective) {
            EXPECT_TRUE(reduce(collective, 10));  // both are connected
            if (collective.rank() == 0) {
                std::jthread killer([&] { collective.abort(); });
                EXPECT_EQ(reduce_until_failure(collective, count).kind, Kind::kAborted);
                expect_broken(collective);
            }
            end.meet(collective.rank(), "");  // rank 1 takes no part, so that the abort alone can end the call
        });
    }
}

TEST_P(CollectiveFailures, AbortBeforeACallMakesItFail) {
    for (const int size : {1, 2}) {
        on_ranks(GetParam(), size, [&](Collective& collective) {
            ASSERT_TRUE(reduce(collective, 10));
            collective.abort();
            EXPECT_EQ(reduce_until_failure(collective, 5).kind, Kind::kAborted);
            expect_broken(collective);
        });
    }
}

TEST_P(CollectiveFailures, AfterAFailureFewerRanksGoOnWithNewObjects) {
    on_ranks(GetParam(), 3, [&](Collective& collective) {
        ASSERT_TRUE(reduce(collective, 100));
        if (collective.rank() != 0) { reduce_until_failure(collective, 100); }
    });
    on_ranks(GetParam(), 2, [&](Collective& collective) {
        std::vector<float> values(100, 1);
        ASSERT_TRUE(collective.all_reduce({.data = values.data(), .elements = 100, .memory = GetParam().memory}, ReduceOp::kSum));
        EXPECT_EQ(values, std::vector<float>(100, 2));
    });
}

TEST_P(CollectiveFailures, WithoutTheOthersAddressesThereIsNoCollective) {
    executor::CollectiveSetup setup{.rank = 0, .size = 2, .deadline = milliseconds(200)};
    setup.exchange = [](const std::string&) { return std::vector<std::string>(); };
    EXPECT_FALSE(GetParam().connect(setup));
}

TEST_P(CollectiveFailures, OneRankNeedsNoExchange) {
    const executor::CollectiveSetup setup{.rank = 0, .size = 1};
    const auto made = GetParam().connect(setup);
    ASSERT_TRUE(made);
    EXPECT_TRUE(reduce(**made, 10));
}

}  // namespace
}  // namespace medley::test
