#include "io/civil_time.h"

#include <gtest/gtest.h>

#include "tests/unit/core/refusal.h"

namespace medley::io {
namespace {

std::int64_t utc(const std::string& text, const ZoneRule& zone = {}) {
    const auto time = parse_civil_time(text);
    return time ? zone.to_utc(*time).value / 1'000'000'000 : -1;
}

// Each second number by `date -u -d TEXT +%s`.
TEST(CivilTime, CountsSecondsSince1970) {
    EXPECT_EQ(utc("1970-01-01 00:00:00"), 0);
    EXPECT_EQ(utc("2000-02-29T23:59:59"), 951868799);
    EXPECT_EQ(utc("2017-10-07 01:11:39"), 1507338699);
    EXPECT_EQ(utc("2020-03-18 04:01"), 1584504060);
    EXPECT_EQ(utc("2100-03-01"), 4107542400);
    EXPECT_EQ(utc("2023-05-17 11:00:58+00:00"), 1684321258);
    EXPECT_EQ(utc("2023-05-17 19:00:58+08:00"), 1684321258);
    EXPECT_EQ(utc("2023-05-17T06:00:58-0500"), 1684321258);
    EXPECT_EQ(utc("2023-05-17T11:00:58Z"), 1684321258);
    EXPECT_EQ(parse_civil_time("2023-05-17 11:00:58.25")->nanoseconds, 250'000'000);
}

TEST(CivilTime, IsNothingElse) {
    for (const char* text : {"", "2023", "2023-13-01", "2023-02-29", "2023-01-01 24:00:00", "2023-01-01 1:00:00", "2023-01-01 10:61:00",
                             "2023-01-01 10:00:00 PDT", "2023-01-01 10:00:00.", "1969-01-01", "2023-01-01 10:00:00+8x", "01/02/2023"}) {
        EXPECT_FALSE(parse_civil_time(text)) << text;
    }
}

TEST(CivilTime, IsWrittenAsItIsRead) {
    for (const char* text : {"1970-01-01 00:00:00", "2000-02-29 23:59:59", "2017-11-05 01:30:00", "2199-12-31 12:00:00"}) {
        EXPECT_EQ(civil_text(ZoneRule().to_utc(*parse_civil_time(text))), text);
    }
    EXPECT_EQ(civil_text(SimTime{0}, 8 * 3600), "1970-01-01 08:00:00");
}

TEST(ZoneRule, KnowsOffsetsAndPosixRules) {
    EXPECT_EQ(utc("2020-01-01 08:00:00", ZoneRule("+08:00")), utc("2020-01-01 00:00:00"));
    EXPECT_EQ(utc("2020-01-01 00:00:00", ZoneRule("-8")), utc("2020-01-01 08:00:00"));
    const ZoneRule pacific("PST8PDT,M3.2.0,M11.1.0");
    EXPECT_EQ(utc("2017-07-01 00:00:00", pacific), utc("2017-07-01 07:00:00"));
    EXPECT_EQ(utc("2017-12-01 00:00:00", pacific), utc("2017-12-01 08:00:00"));
    const ZoneRule berlin("CET-1CEST,M3.5.0,M10.5.0/3");
    EXPECT_EQ(utc("2020-07-01 02:00:00", berlin), utc("2020-07-01 00:00:00"));
    EXPECT_EQ(utc("2020-12-01 01:00:00", berlin), utc("2020-12-01 00:00:00"));
    const ZoneRule sydney("AEST-10AEDT,M10.1.0,M4.1.0/3");
    EXPECT_EQ(utc("2020-01-01 11:00:00", sydney), utc("2020-01-01 00:00:00"));
    EXPECT_EQ(utc("2020-07-01 10:00:00", sydney), utc("2020-07-01 00:00:00"));
}

// Seconds by `TZ=America/Los_Angeles date -d TEXT +%s`, of the two 01:30 the first.
TEST(ZoneRule, TakesTheFirstOfAnHourThatComesTwiceAndPassesOverAGap) {
    const ZoneRule pacific("PST8PDT,M3.2.0,M11.1.0");
    EXPECT_EQ(utc("2017-11-05 00:59:59", pacific), 1509868799);
    EXPECT_EQ(utc("2017-11-05 01:30:00", pacific), 1509870600);
    EXPECT_EQ(utc("2017-11-05 02:00:00", pacific), 1509876000);
    EXPECT_TRUE(pacific.ambiguous(*parse_civil_time("2017-11-05 01:30:00")));
    EXPECT_FALSE(pacific.ambiguous(*parse_civil_time("2017-11-05 02:00:00")));
    EXPECT_FALSE(pacific.ambiguous(*parse_civil_time("2017-11-05 00:59:59")));
    EXPECT_EQ(utc("2017-03-12 01:59:59", pacific), 1489312799);
    EXPECT_EQ(utc("2017-03-12 02:30:00", pacific), 1489314600);
    EXPECT_EQ(utc("2017-03-12 03:00:00", pacific), 1489312800);
}

TEST(ZoneRule, RefusesWhatIsNoRule) {
    for (const char* text :
         {"", "Europe/Berlin", "PST", "PST8PDT", "PST8PDT,M3.2.0", "PST8PDT,M13.2.0,M11.1.0", "PST8PDT,M3.2.7,M11.1.0", "+25:00"}) {
        EXPECT_NE(refusal([&] { ZoneRule zone(text); }), "") << text;
    }
}

}  // namespace
}  // namespace medley::io
