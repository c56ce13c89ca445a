#include "cost/memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace medley {
namespace {

Profile small_profile() {
    Profile profile{.model = Name("m"), .parameters = 10, .gradient = Bytes{40}, .state = Bytes{80}};
    profile.gpus[Name("A")].points = {ProfilePoint{.batch = Samples{1}, .seconds = Seconds{1}, .memory = Bytes{5}},
                                      ProfilePoint{.batch = Samples{2}, .seconds = Seconds{1.5}, .memory = Bytes{9}},
                                      ProfilePoint{.batch = Samples{4}, .seconds = Seconds{2}, .memory = std::nullopt}};
    return profile;
}

TEST(Memory, DependsOnTheLargestVirtualNodeAndNotOnTheirNumber) {
    const Profile profile = small_profile();
    const GpuProfile& gpu = *profile.find(Name("A"));
    EXPECT_EQ(device_memory(profile, gpu, std::vector<Samples>{Samples{2}, Samples{1}}, false), Bytes{80 + 40 + 9});
    EXPECT_EQ(device_memory(profile, gpu, std::vector<Samples>(30, Samples{2}), false), Bytes{80 + 40 + 9});
}

TEST(Memory, OfExactSummationIsEightBytesAParameterMore) {
    const Profile profile = small_profile();
    EXPECT_EQ(device_memory(profile, *profile.find(Name("A")), std::vector<Samples>{Samples{1}}, true), Bytes{80 + 40 + 5 + 8 * 10});
}

TEST(Memory, OfExactSummationNeedsTheNumberOfParameters) {
    Profile profile = small_profile();
    profile.parameters = 0;
    EXPECT_THROW(resident_memory(profile, true), Error);
    EXPECT_EQ(resident_memory(profile, false), Bytes{120});
}

TEST(Memory, IsUnknownWhereASizeWasNotMeasured) {
    const Profile profile = small_profile();
    EXPECT_EQ(device_memory(profile, *profile.find(Name("A")), std::vector<Samples>{Samples{4}, Samples{1}}, false), std::nullopt);
}

TEST(Memory, FitsUpToTheLastByte) {
    const ProfilePoint point{.batch = Samples{1}, .seconds = Seconds{1}, .memory = Bytes{5}};
    EXPECT_TRUE(fits(point, GpuType{.name = Name("A"), .memory = Bytes{125}}, Bytes{120}));
    EXPECT_FALSE(fits(point, GpuType{.name = Name("A"), .memory = Bytes{124}}, Bytes{120}));
    EXPECT_TRUE(fits(point, GpuType{.name = Name("A")}, Bytes{120}));
}

}  // namespace
}  // namespace medley
