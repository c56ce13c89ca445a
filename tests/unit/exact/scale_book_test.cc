#include "executor/exact/scale_book.h"

#include <gtest/gtest.h>

#include "executor/exact/fixed_point.h"

namespace medley::executor {
namespace {

using Exponents = std::vector<std::int64_t>;

Exponents exponents_of(const ScaleBook& book) { return {book.exponents().begin(), book.exponents().end()}; }

ScaleBook settled_at(std::int64_t largest) {
    ScaleBook book(1);
    if (book.learn(Exponents{largest}, largest > 0)) { EXPECT_FALSE(book.learn(Exponents{largest}, false)); }
    return book;
}

TEST(ScaleBook, PutsItsFirstGuessRightWithOneRedo) {
    ScaleBook book(3);
    const Exponents largest = {40, -30, -2};
    EXPECT_TRUE(book.learn(largest, true));
    EXPECT_EQ(exponents_of(book), (Exponents{44, -26, 0}));
    EXPECT_FALSE(book.learn(largest, false));
}

TEST(ScaleBook, KeepsAMarginAboveTheLastLargestMagnitude) {
    ScaleBook book = settled_at(-20);
    EXPECT_EQ(exponents_of(book), Exponents{-16});
    EXPECT_FALSE(book.learn(Exponents{-16}, false));
    EXPECT_EQ(exponents_of(book), Exponents{-12});
}

TEST(ScaleBook, AsksForARedoAfterAnOverflow) {
    ScaleBook book = settled_at(-20);
    EXPECT_TRUE(book.learn(Exponents{-15}, true));
    EXPECT_EQ(exponents_of(book), Exponents{-11});
    EXPECT_FALSE(book.learn(Exponents{-15}, false));
    EXPECT_EQ(exponents_of(book), Exponents{-11});
}

TEST(ScaleBook, SinksByOneAStepWhileMagnitudesFall) {
    ScaleBook book = settled_at(-20);
    EXPECT_FALSE(book.learn(Exponents{-30}, false));
    EXPECT_EQ(exponents_of(book), Exponents{-17});
    EXPECT_FALSE(book.learn(Exponents{-22}, false));
    EXPECT_EQ(exponents_of(book), Exponents{-18});
    EXPECT_FALSE(book.learn(Exponents{-22}, false));
    EXPECT_EQ(exponents_of(book), Exponents{-18});
}

TEST(ScaleBook, AsksForARedoWhenMagnitudesFallSoFarThatBitsWouldBeLost) {
    ScaleBook book = settled_at(-20);
    EXPECT_FALSE(book.learn(Exponents{-20 - kMostSlack}, false));
    book = settled_at(-20);
    EXPECT_TRUE(book.learn(Exponents{-21 - kMostSlack}, false));
    EXPECT_EQ(exponents_of(book), Exponents{-21 - kMostSlack + kScaleMargin});
}

TEST(ScaleBook, KeepsTheScaleOfATensorOfZeros) {
    ScaleBook book = settled_at(-20);
    for (int step = 0; step < 5; ++step) { EXPECT_FALSE(book.learn(Exponents{kNoExponent}, false)); }
    EXPECT_EQ(exponents_of(book), Exponents{-16});
}

TEST(ScaleBook, NeverLeavesTheRangeOfScales) {
    ScaleBook book(1);
    EXPECT_TRUE(book.learn(Exponents{-1073}, false));
    EXPECT_EQ(exponents_of(book), Exponents{kLowestExponent});
    EXPECT_FALSE(book.learn(Exponents{-1073}, false));
    EXPECT_TRUE(book.learn(Exponents{1024}, true));
    EXPECT_EQ(exponents_of(book), Exponents{kHighestExponent});
}

TEST(ScaleBook, ChangesOnlyTheTensorsThatNeedItWhenAStepIsRedone) {
    ScaleBook book(2);
    EXPECT_TRUE(book.learn(Exponents{-3, 10}, true));
    EXPECT_EQ(exponents_of(book), (Exponents{0, 14}));
}

TEST(ScaleBook, GoesOnFromItsStateElsewhere) {
    ScaleBook book = settled_at(-20);
    ScaleBook other(1);
    const auto from = book.state();
    std::copy(from.begin(), from.end(), other.state().begin());
    EXPECT_EQ(exponents_of(other), Exponents{-16});
}

}  // namespace
}  // namespace medley::executor
