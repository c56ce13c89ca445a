#include "io/results/number_text.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

#include <gtest/gtest.h>

#include "core/rng.h"

namespace medley::io {
namespace {

std::string number(double value) {
    std::string text;
    append_number(text, value);
    return text;
}

std::string seconds(std::int64_t nanoseconds) {
    std::string text;
    append_seconds(text, SimTime{nanoseconds});
    return text;
}

TEST(NumberText, WritesTheShortestTextThatReadsBack) {
    EXPECT_EQ(number(0.1), "0.1");
    EXPECT_EQ(number(3), "3");
    EXPECT_EQ(number(-7.25), "-7.25");
    EXPECT_EQ(number(1e300), "1e+300");
    EXPECT_EQ(number(1.0 / 3), "0.3333333333333333");
}

TEST(NumberText, ReadsBackAsTheSameDoubleForRandomBits) {
    Rng rng(7);
    for (int round = 0; round < 100'000; ++round) {
        const auto value = std::bit_cast<double>(rng.next());
        if (!std::isfinite(value)) { continue; }
        ASSERT_EQ(std::strtod(number(value).c_str(), nullptr), value);
    }
}

TEST(NumberText, ReadsBackAroundTheLimitOfTheFastPath) {
    for (const double value : {1e15 - 1, 1e15, 1e15 + 1, -1e15, 9007199254740993.0, 1e19}) {
        EXPECT_EQ(std::strtod(number(value).c_str(), nullptr), value);
    }
}

TEST(NumberText, WritesSecondsExactToTheNanosecond) {
    EXPECT_EQ(seconds(0), "0");
    EXPECT_EQ(seconds(12'000'000'000), "12");
    EXPECT_EQ(seconds(500'000'000), "0.5");
    EXPECT_EQ(seconds(3'000'000'001), "3.000000001");
    EXPECT_EQ(seconds(std::numeric_limits<std::int64_t>::max()), "9223372036.854775807");
}

}  // namespace
}  // namespace medley::io
