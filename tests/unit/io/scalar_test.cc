#include "io/scalar.h"

#include <gtest/gtest.h>

namespace medley::io {
namespace {

TEST(Numbers, AreFiniteDecimals) {
    EXPECT_EQ(to_number("3.5"), 3.5);
    EXPECT_EQ(to_number("+3.5"), 3.5);
    EXPECT_EQ(to_number("-8.7e9"), -8.7e9);
    for (const char* text : {"", "nan", "inf", "-inf", "0x10", "1e999", "3,5", "3.5 ", "three", "+-3", "1_000", "+"}) {
        EXPECT_EQ(to_number(text), std::nullopt) << text;
    }
}

TEST(WholeNumbers, MayBeWrittenAsDecimalsButNeverRounded) {
    EXPECT_EQ(to_whole("3"), 3);
    EXPECT_EQ(to_whole("3.0"), 3);
    EXPECT_EQ(to_whole("1e3"), 1000);
    EXPECT_EQ(to_whole("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
    for (const char* text : {"3.5", "1e18", "9223372036854775808", "nan", "", "3 GPUs"}) {
        EXPECT_EQ(to_whole(text), std::nullopt) << text;
    }
}

TEST(Durations, CarryUnits) {
    EXPECT_EQ(to_duration("90"), Seconds{90});
    EXPECT_EQ(to_duration("250ms"), Seconds{0.25});
    EXPECT_EQ(to_duration("10s"), Seconds{10});
    EXPECT_EQ(to_duration("1.5m"), Seconds{90});
    EXPECT_EQ(to_duration("2h"), Seconds{7200});
    EXPECT_EQ(to_duration("1 d"), Seconds{86400});
    for (const char* text : {"", "s", "10x", "10 minutes", "1h30m", "nan", "1e18", "36525000d", "-1e18"}) {
        EXPECT_EQ(to_duration(text), std::nullopt) << text;
    }
}

TEST(Times, AreExactToTheNanosecondAtAnyDate) {
    EXPECT_EQ(to_time("0"), SimTime{0});
    EXPECT_EQ(to_time("0.000000001"), SimTime{1});
    EXPECT_EQ(to_time("123456789.123456789"), SimTime{123'456'789'123'456'789});  // a double would be 13 ns off
    EXPECT_EQ(to_time("1.5"), SimTime{1'500'000'000});
    EXPECT_EQ(to_time("2."), SimTime{2'000'000'000});
    EXPECT_EQ(to_time("10m"), SimTime{600'000'000'000});
    EXPECT_EQ(to_time("-1"), SimTime{-1'000'000'000});
    EXPECT_EQ(to_time("1e18"), std::nullopt);
    EXPECT_EQ(to_time("."), std::nullopt);
}

TEST(Times, AreWrittenAsTheShortestTextThatReadsBack) {
    EXPECT_EQ(seconds_text(SimTime{12'000'000'000}), "12");
    EXPECT_EQ(seconds_text(SimTime{500'000'000}), "0.5");
    EXPECT_EQ(seconds_text(SimTime{-500'000'000}), "-0.5");
    EXPECT_EQ(seconds_text(SimTime{3'000'000'001}), "3.000000001");
    for (const std::int64_t time : {0LL, 1LL, 999'999'999LL, 123'456'789'123'456'789LL}) {
        EXPECT_EQ(to_time(seconds_text(SimTime{time})), SimTime{time});
    }
}

TEST(Names, TheNearestIsTheOneWithTheFewestEdits) {
    constexpr std::string_view kKnown[] = {"V100", "P100", "K80"};
    EXPECT_EQ(nearest_name("V10", kKnown), "V100");
    EXPECT_EQ(nearest_name("v100", kKnown), "V100");
    EXPECT_EQ(nearest_name("p100", kKnown), "P100");
    EXPECT_EQ(nearest_name("entirely different", kKnown), "");
    EXPECT_EQ(expected_name("V10", kKnown), "V100 (known: V100, P100, K80)");
    EXPECT_EQ(nearest_name("X9", kKnown), "") << "more than half of its letters differ";
    EXPECT_EQ(expected_name("X9", kKnown), "one of V100, P100, K80");
    EXPECT_EQ(expected_name("V100", {}), "a known name, of which there is none");
    EXPECT_EQ(expected_name("entirely different", kKnown), "one of V100, P100, K80");
}

}  // namespace
}  // namespace medley::io
