#include "core/inline_vector.h"

#include <vector>

#include <gtest/gtest.h>

#include "core/rng.h"

namespace medley {
namespace {

using Numbers = InlineVector<int, 2>;

std::vector<int> contents(const Numbers& numbers) { return {numbers.begin(), numbers.end()}; }

TEST(InlineVector, KeepsItsElementsInsideAndOutside) {
    EXPECT_TRUE(Numbers{}.empty());
    EXPECT_EQ(contents(Numbers{1, 2}), (std::vector<int>{1, 2}));
    EXPECT_EQ(contents(Numbers{1, 2, 3, 4, 5}), (std::vector<int>{1, 2, 3, 4, 5}));
}

TEST(InlineVector, ACopyIsItsOwn) {
    Numbers original{1, 2, 3};
    Numbers copy = original;
    copy[0] = 9;
    EXPECT_EQ(original.front(), 1);
    original = Numbers{7};
    EXPECT_EQ(contents(copy), (std::vector<int>{9, 2, 3}));
}

TEST(InlineVector, WhatWasMovedFromIsEmpty) {
    Numbers original{1, 2, 3};
    const Numbers moved = std::move(original);
    EXPECT_EQ(contents(moved), (std::vector<int>{1, 2, 3}));
    EXPECT_TRUE(original.empty());  // NOLINT(bugprone-use-after-move): that it is, is the contract
    original.push_back(4);
    EXPECT_EQ(contents(original), std::vector<int>{4});
}

TEST(InlineVector, ErasesByCondition) {
    Numbers numbers{1, 2, 3, 4, 5};
    erase_if(numbers, [](int number) { return number % 2 == 0; });
    EXPECT_EQ(numbers, (Numbers{1, 3, 5}));
    EXPECT_EQ(numbers.back(), 5);
}

// Against std::vector under random operations.
TEST(InlineVector, DoesWhatAVectorDoes) {
    Rng rng(1);
    std::vector<Numbers> ours(4);
    std::vector<std::vector<int>> theirs(4);
    for (int step = 0; step < 20'000; ++step) {
        const auto one = rng.below(4);
        const auto other = rng.below(4);
        switch (rng.below(5)) {
            case 0:
                ours[one] = ours[other];
                theirs[one] = theirs[other];
                break;
            case 1:
                ours[one].clear();
                theirs[one].clear();
                break;
            case 2:
                std::swap(ours[one], ours[other]);
                std::swap(theirs[one], theirs[other]);
                break;
            default:
                ours[one].push_back(step);
                theirs[one].push_back(step);
                break;
        }
        ASSERT_EQ(contents(ours[one]), theirs[one]) << step;
        ASSERT_EQ(ours[one] == ours[other], theirs[one] == theirs[other]) << step;
    }
}

}  // namespace
}  // namespace medley
