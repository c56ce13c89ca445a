#include "io/availability_file.h"

#include <gtest/gtest.h>

#include "tests/unit/core/refusal.h"

namespace medley::io {
namespace {

const std::string kAvailabilityHeader = "time_s,gpu_type_or_node,delta\n";

// 8 V100 in two nodes of 4, and 8 K80 in one node whose name is a type's.
Cluster lab() {
    return Cluster{.gpu_types = {{.name = Name("V100")}, {.name = Name("K80")}},
                   .nodes = {{.name = "v", .count = 2, .gpu = GpuTypeId(0), .gpus = 4}, {.name = "K80", .gpu = GpuTypeId(1), .gpus = 8}}};
}

std::vector<CapacityStep> steps_of(const std::string& rows) { return parse_availability(kAvailabilityHeader + rows, "a.csv", lab()); }
std::string availability_refusal_of(const std::string& rows) {
    return refusal([&] { steps_of(rows); });
}

TEST(AvailabilityFile, ATypeCountsGpusAndANodeCountsNodes) {
    const auto steps = steps_of("0,V100,-3\n10m,v,-1\n1h,K80,-8\n");
    ASSERT_EQ(steps.size(), 3);
    EXPECT_EQ(steps[0].delta, -3);
    EXPECT_EQ(steps[1].time, SimTime{600'000'000'000});
    EXPECT_EQ(steps[1].type, GpuTypeId(0));
    EXPECT_EQ(steps[1].delta, -4);
    EXPECT_EQ(steps[2].type, GpuTypeId(1));
    EXPECT_EQ(steps[2].delta, -8);  // K80 is a type before it is a node
}

TEST(AvailabilityFile, StepsAreOrderedAndThoseOfOneMomentAddedUp) {
    const auto steps = steps_of("9,V100,-8\n0,K80,-1\n9,V100,+8\n9,K80,+1\n0,V100,-2\n0,V100,+1\n5,V100,1\n");
    ASSERT_EQ(steps.size(), 4);
    EXPECT_EQ(steps[0].type, GpuTypeId(0));
    EXPECT_EQ(steps[0].delta, -1);
    EXPECT_EQ(steps[1].type, GpuTypeId(1));
    EXPECT_EQ(steps[2].time, SimTime{5'000'000'000});
    EXPECT_EQ(steps[3].type, GpuTypeId(1));  // the V100s' -8 and +8 at 9 s are nothing
}

TEST(AvailabilityFile, ATypeCannotFallBelowZero) {
    EXPECT_EQ(availability_refusal_of("0,V100,-4\n5,v,-1\n7,V100,-1\n"),
              "a.csv: line 4, column delta: found '-1 GPUs of the type left', expected 0 to 100000000");
    EXPECT_EQ(availability_refusal_of("5,V100,-9\n5,V100,+1\n"), "");
}

TEST(AvailabilityFile, WrongCellsAreNamed) {
    EXPECT_EQ(availability_refusal_of("0,V10,1\n"),
              "a.csv: line 2, column gpu_type_or_node: found 'V10', expected V100 (known: K80, V100, v)");
    EXPECT_EQ(availability_refusal_of("-1,V100,1\n"), "a.csv: line 2, column time_s: found '-1', expected a time of at least 0");
    EXPECT_EQ(availability_refusal_of("nan,V100,1\n"), "a.csv: line 2, column time_s: found 'nan', expected a time of at least 0");
    for (const char* delta : {"1000000000000000000", "-9223372036854775808", "0.5", "", "many"}) {
        EXPECT_NE(availability_refusal_of("0,V100," + std::string(delta) + "\n"), "") << delta;
    }
    EXPECT_EQ(refusal([] { parse_availability("time,gpu_type_or_node,delta\n", "a.csv", lab()); }),
              "a.csv: line 1: found 'time', expected a column time_s");
}

}  // namespace
}  // namespace medley::io
