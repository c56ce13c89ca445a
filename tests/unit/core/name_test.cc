#include "core/name.h"

#include <algorithm>
#include <thread>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

namespace medley {
namespace {

TEST(Name, OfEqualTextIsEqualAndSharesTheText) {
    const std::string text = "resnet50";
    EXPECT_EQ(Name(text), Name("resnet50"));
    EXPECT_EQ(&Name(text).text(), &Name("resnet50").text());
    EXPECT_NE(Name("resnet50"), Name("resnet51"));
    EXPECT_EQ(Name("resnet50").text(), "resnet50");
}

TEST(Name, IsEmptyByDefault) {
    EXPECT_TRUE(Name().empty());
    EXPECT_EQ(Name(), Name(""));
    EXPECT_LT(Name(), Name("a"));
}

// Interned upwards and downwards, so that an order by address or by first use would show in one of the two.
TEST(Name, IsOrderedByContentNotByFirstUse) {
    std::vector<Name> up;
    std::vector<Name> down;
    for (int number = 100; number < 200; ++number) {
        up.emplace_back("up" + std::to_string(number));
        down.emplace_back("down" + std::to_string(299 - number));
    }
    EXPECT_TRUE(std::is_sorted(up.begin(), up.end()));
    EXPECT_TRUE(std::is_sorted(down.rbegin(), down.rend()));
    EXPECT_LT(Name("ant"), Name("antelope"));
}

TEST(Name, KeepsTextsWithZeroBytesApart) { EXPECT_NE(Name(std::string_view("a\0b", 3)), Name("a")); }

TEST(Name, HashesAlikeWhenEqual) {
    const std::unordered_set<Name> names = {Name("a"), Name("b"), Name("a")};
    EXPECT_EQ(names.size(), 2U);
}

TEST(Name, CanBeInternedFromManyThreads) {
    std::vector<std::vector<Name>> seen(4);
    std::vector<std::thread> threads;
    threads.reserve(seen.size());
    for (auto& mine : seen) {
        threads.emplace_back([&mine] {
            for (int number = 0; number < 1000; ++number) { mine.emplace_back("thread-name-" + std::to_string(number)); }
        });
    }
    for (std::thread& thread : threads) { thread.join(); }
    for (const auto& mine : seen) { EXPECT_EQ(mine, seen.front()); }
}

}  // namespace
}  // namespace medley
