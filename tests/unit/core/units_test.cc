#include "core/units.h"

#include <type_traits>

#include <gtest/gtest.h>

namespace medley {
namespace {

template <class A, class B>
concept Addable = requires(A a, B b) {
    a + b;
};

static_assert(Addable<Seconds, Seconds>);
static_assert(!Addable<Seconds, Bytes>);
static_assert(!Addable<Seconds, double>);
static_assert(!Addable<Samples, SimTime>);
static_assert(!std::is_convertible_v<double, Seconds>);
static_assert(sizeof(Seconds) == sizeof(double));

TEST(Units, ArithmeticKeepsTheUnit) {
    EXPECT_EQ(Seconds{1.5} + Seconds{2}, Seconds{3.5});
    EXPECT_EQ(Seconds{1.5} - Seconds{2}, Seconds{-0.5});
    EXPECT_EQ(-Seconds{2}, Seconds{-2});
    EXPECT_EQ(Samples{3} * 4, Samples{12});
    EXPECT_EQ(4 * Samples{3}, Samples{12});
    EXPECT_EQ(Bytes{10} / 4, Bytes{2.5});
    Samples sum{1};
    sum += Samples{5};
    sum -= Samples{2};
    EXPECT_EQ(sum, Samples{4});
}

TEST(Units, ARatioOfEqualUnitsIsAPlainNumber) {
    static_assert(std::is_same_v<decltype(Seconds{1} / Seconds{1}), double>);
    EXPECT_EQ(Seconds{3} / Seconds{2}, 1.5);
    EXPECT_EQ(Samples{7} / Samples{2}, 3);
}

TEST(Units, StartAtZeroAndAreOrdered) {
    EXPECT_EQ(Seconds{}, Seconds{0});
    EXPECT_LT(SimTime{1}, SimTime{2});
    EXPECT_LT(SimTime{1'000'000'000'000}, kNever);
}

TEST(Units, SimTimeIsTheNearestNanosecond) {
    EXPECT_EQ(to_sim_time(Seconds{1.25}), SimTime{1'250'000'000});
    EXPECT_EQ(to_sim_time(Seconds{0.4e-9}), SimTime{0});
    EXPECT_EQ(to_sim_time(Seconds{0.6e-9}), SimTime{1});
    EXPECT_EQ(to_sim_time(Seconds{-2}), SimTime{-2'000'000'000});
    EXPECT_EQ(to_seconds(SimTime{1'500'000'000}), Seconds{1.5});
}

TEST(Units, RoundingUpNeverEndsWorkEarly) {
    EXPECT_EQ(to_sim_time_up(Seconds{1}), SimTime{1'000'000'000});
    EXPECT_EQ(to_sim_time_up(Seconds{0.1e-9}), SimTime{1});
    EXPECT_EQ(to_sim_time_up(Seconds{1.0000000001}), SimTime{1'000'000'001});
}

// 2^63 ns = 9.223e18 ns: what is beyond 9.2e9 s is never.
TEST(Units, TimesBeyondTheRangeAreNever) {
    EXPECT_EQ(to_sim_time(Seconds{1e18}), kNever);
    EXPECT_EQ(to_sim_time_up(Seconds{1e18}), kNever);
    EXPECT_EQ(to_sim_time(Seconds{std::numeric_limits<double>::infinity()}), kNever);
    EXPECT_EQ(to_sim_time_up(Seconds{std::numeric_limits<double>::infinity()}), kNever);
    EXPECT_LT(to_sim_time(Seconds{9e9}), kNever);
}

}  // namespace
}  // namespace medley
