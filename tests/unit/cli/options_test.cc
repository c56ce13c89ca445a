#include "cli/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace medley::cli {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

template <class Act>
std::string refusal(Act act) {
    try {
        act();
    } catch (const Error& error) { return error.what(); }
    return "";
}

TEST(Options, DurationsAreSecondsOrCarryAUnit) {
    EXPECT_EQ(parse_duration("--round", "90").value, 90);
    EXPECT_EQ(parse_duration("--round", "500ms").value, 0.5);
    EXPECT_EQ(parse_duration("--round", "1.5h").value, 5400);
    EXPECT_EQ(parse_duration("--round", "2d").value, 172800);
    EXPECT_EQ(parse_duration("--round", " 10m ").value, 600);
    EXPECT_EQ(parse_duration("--round", "0").value, 0);
}

TEST(Options, DurationsThatAreNoneAreRefusedWithOptionValueAndExpectation) {
    for (const char* text : {"", "-5", "nan", "inf", "1e18", "5x", "s", "1 0", "0x10"}) {
        EXPECT_THAT(refusal([&] { parse_duration("--round", text); }), AllOf(HasSubstr("--round"), HasSubstr("expected a duration")))
            << text;
    }
}

TEST(Options, WholeNumbersStayInTheirRange) {
    EXPECT_EQ(parse_whole("--jobs", "12", 1, 100), 12);
    for (const char* text : {"0", "101", "1.5", "", "x", "1e18", "99999999999999999999"}) {
        EXPECT_THAT(refusal([&] { parse_whole("--jobs", text, 1, 100); }), HasSubstr("a whole number from 1 to 100")) << text;
    }
}

TEST(Options, NumbersAreFiniteAndInTheirRange) {
    EXPECT_EQ(parse_number("--load", "0.25", 0, 1), 0.25);
    for (const char* text : {"-0.1", "1.1", "nan", "inf", "", "0.5x"}) {
        EXPECT_THAT(refusal([&] { parse_number("--load", text, 0, 1); }), HasSubstr("a number from 0 to 1")) << text;
    }
}

TEST(Options, GpuListsNameEachTypeOnceWithItsCount) {
    const auto counts = parse_gpu_counts("--gpus", "V100=2, P100=8");
    ASSERT_EQ(counts.size(), 2U);
    EXPECT_EQ(counts[0].gpu_type, Name("V100"));
    EXPECT_EQ(counts[1].gpus, 8);
    EXPECT_THAT(refusal([] { parse_gpu_counts("--gpus", "V100=2,V100=1"); }), HasSubstr("each GPU type once"));
    for (const char* text : {"", "V100", "=2", "V100=0", "V100=-1", "V100=2,,P100=1", "V100=x"}) {
        EXPECT_THAT(refusal([&] { parse_gpu_counts("--gpus", text); }), HasSubstr("--gpus")) << text;
    }
}

TEST(Options, WindowsAreHalfOpenAndNotEmpty) {
    const Window window = parse_window("--window", "4000:5000");
    EXPECT_TRUE(window.holds(4000));
    EXPECT_TRUE(window.holds(4999));
    EXPECT_FALSE(window.holds(5000));
    for (const char* text : {"", "5", "5:5", "6:5", ":5", "5:", "-1:5", "a:b"}) {
        EXPECT_THAT(refusal([&] { parse_window("--window", text); }), HasSubstr("--window")) << text;
    }
}

TEST(Options, RefusalsOfOthersAreNamedByTheOption) {
    const auto refuse = [] { refuse_value("format", "x", "y"); };
    EXPECT_EQ(refusal([&] { naming_option("--format", refuse); }), "--format: found 'x', expected y");
}

TEST(Options, OutputsMayNotLookCompressed) {
    EXPECT_EQ(refusal([] { require_plain_name("--output", "trace.csv"); }), "");
    for (const char* name : {"trace.csv.gz", "trace.zst"}) {
        EXPECT_THAT(refusal([&] { require_plain_name("--output", name); }), HasSubstr("not compressed")) << name;
    }
}

TEST(Options, ListsLoseBlanksAndHaveNoEmptyParts) {
    EXPECT_THAT(parse_list("--policies", "fifo ; wfs:a=1,b=2", ';'), ElementsAre("fifo", "wfs:a=1,b=2"));
    for (const char* text : {"", ";", "a;", ";a", "a;;b"}) {
        EXPECT_THAT(refusal([&] { parse_list("--policies", text, ';'); }), HasSubstr("no empty part")) << text;
    }
}

}  // namespace
}  // namespace medley::cli
