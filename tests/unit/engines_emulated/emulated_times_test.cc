#include "executor/engines/emulated/emulated_times.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace medley::executor {
namespace {

EmulatedModel tabled() { return {.profile = "resnet50", .seconds = {{"V100", {{8, 0.1}, {16, 0.15}, {32, 0.25}}}, {"P100", {{8, 0.4}}}}}; }

TEST(EmulatedTimes, WithoutAProfileSamplesCountAlike) {
    const EmulatedModel model{.seconds_per_sample = 0.01};
    EXPECT_DOUBLE_EQ(emulated_node_seconds(model, "any", 1, 5), 0.05);
}

TEST(EmulatedTimes, ATableGivesItsOwnSizesExactly) {
    EXPECT_DOUBLE_EQ(emulated_node_seconds(tabled(), "V100", 1, 8), 0.1);
    EXPECT_DOUBLE_EQ(emulated_node_seconds(tabled(), "V100", 1, 32), 0.25);
    EXPECT_DOUBLE_EQ(emulated_node_seconds(tabled(), "P100", 1, 8), 0.4);
}

TEST(EmulatedTimes, BetweenSizesTimesAreLinearAndOutsideProportional) {
    EXPECT_DOUBLE_EQ(emulated_node_seconds(tabled(), "V100", 1, 12), 0.125);
    EXPECT_DOUBLE_EQ(emulated_node_seconds(tabled(), "V100", 1, 24), 0.2);
    EXPECT_DOUBLE_EQ(emulated_node_seconds(tabled(), "V100", 1, 4), 0.05);
    EXPECT_DOUBLE_EQ(emulated_node_seconds(tabled(), "V100", 1, 64), 0.5);
}

TEST(EmulatedTimes, SpeedDividesAndTimeScaleMultiplies) {
    EmulatedModel model = tabled();
    model.time_scale = 0.01;
    EXPECT_DOUBLE_EQ(emulated_node_seconds(model, "V100", 4, 8), 0.1 * 0.01 / 4);
}

TEST(EmulatedTimes, AnUnknownTypeIsRefusedUnlessThereIsOneTableForAll) {
    EXPECT_THROW(emulated_node_seconds(tabled(), "T4", 1, 8), Error);
    const EmulatedModel model{.seconds = {{"V100", {{8, 0.1}}}}};
    EXPECT_DOUBLE_EQ(emulated_node_seconds(model, "T4", 1, 8), 0.1);
}

TEST(PacedSleep, NothingToSleepReturnsAtOnce) {
    PacedSleep sleep;
    sleep(0);
    sleep(-1);
}

}  // namespace
}  // namespace medley::executor
