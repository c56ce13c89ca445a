#include "sched/ledger.h"

#include <gtest/gtest.h>

namespace medley {
namespace {

const GpuTypeId kFirst{std::size_t{0}};
const GpuTypeId kSecond{std::size_t{1}};

TEST(LedgerKeeper, BooksFreeHeldAndAbsentGpus) {
    LedgerKeeper keeper({4, 2});
    keeper.advance(SimTime{100});
    keeper.hold(LedgerBin::kUseful, kFirst, 3);
    keeper.set_present(kSecond, 1);
    keeper.advance(SimTime{110});
    EXPECT_EQ(keeper.ledger()[LedgerBin::kUseful], 30);
    EXPECT_EQ(keeper.ledger()[LedgerBin::kIdle], 20);
    EXPECT_EQ(keeper.ledger()[LedgerBin::kDown], 10);
    EXPECT_EQ(keeper.ledger().total(), 60);
    EXPECT_EQ(keeper.held_time(), 30);
    EXPECT_EQ(keeper.present_time(), 50);
}

TEST(LedgerKeeper, CapacityBeyondTheNominalAddsToTheTotal) {
    LedgerKeeper keeper({4});
    keeper.advance(SimTime{0});
    keeper.set_present(kFirst, 6);
    keeper.advance(SimTime{10});
    EXPECT_EQ(keeper.ledger().total(), 60);
}

TEST(LedgerKeeper, GpusStillHeldAreNotDown) {
    LedgerKeeper keeper({4});
    keeper.advance(SimTime{0});
    keeper.hold(LedgerBin::kUseful, kFirst, 3);
    keeper.set_present(kFirst, 1);  // a real cluster needs a moment to take them back
    keeper.advance(SimTime{10});
    EXPECT_EQ(keeper.ledger()[LedgerBin::kDown], 10);
    EXPECT_EQ(keeper.ledger().total(), 40);
}

TEST(LedgerKeeper, FreeGpusAreFragmentedWhileAWaitingJobWouldFitByCount) {
    LedgerKeeper keeper({4, 2});
    const auto needs = keeper.waiting().class_of(0b01, 3);
    keeper.advance(SimTime{0});
    keeper.waiting().add(needs);
    keeper.advance(SimTime{10});  // 4 free on the first type, which it allows
    keeper.hold(LedgerBin::kStartup, kFirst, 2);
    keeper.advance(SimTime{20});  // only 2 free
    EXPECT_EQ(keeper.ledger()[LedgerBin::kFragmented], 40);
    EXPECT_EQ(keeper.ledger()[LedgerBin::kIdle], 20 + 40);
    EXPECT_EQ(keeper.ledger()[LedgerBin::kStartup], 20);
}

TEST(LedgerKeeper, IsExactBeyondSixtyFourBits) {
    LedgerKeeper keeper({1'000'000});
    keeper.advance(SimTime{0});
    const std::int64_t year = 365LL * 86400 * 1'000'000'000;
    keeper.advance(SimTime{year});
    EXPECT_EQ(keeper.ledger().total(), GpuTime{1'000'000} * year);
}

}  // namespace
}  // namespace medley
