#include "io/report/gpu_lanes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/rng.h"

namespace medley::io {
namespace {

using testing::ElementsAre;

TEST(GpuLanes, KeepsAGangTogetherWhereAGapHasRoom) {
    GpuLanes lanes(8);
    EXPECT_THAT(lanes.take(2), ElementsAre(LaneRun{0, 2}));
    EXPECT_THAT(lanes.take(4), ElementsAre(LaneRun{2, 4}));
    EXPECT_THAT(lanes.take(2), ElementsAre(LaneRun{6, 2}));
    lanes.give_back({0, 2});
    lanes.give_back({2, 4});
    EXPECT_THAT(lanes.take(5), ElementsAre(LaneRun{0, 5})) << "two gaps that touch are one";
}

TEST(GpuLanes, TakesTheSmallestGapThatFits) {
    GpuLanes lanes(10);
    lanes.take(10);
    lanes.give_back({0, 4});
    lanes.give_back({6, 2});
    EXPECT_THAT(lanes.take(2), ElementsAre(LaneRun{6, 2}));
}

TEST(GpuLanes, SplitsAGangOnlyWhenItMust) {
    GpuLanes lanes(4);
    lanes.take(4);
    lanes.give_back({0, 1});
    lanes.give_back({2, 1});
    EXPECT_THAT(lanes.take(2), ElementsAre(LaneRun{0, 1}, LaneRun{2, 1}));
}

TEST(GpuLanes, GrowsBeyondItsCapacityRatherThanLoseAGpu) {
    GpuLanes lanes(2);
    EXPECT_THAT(lanes.take(3), ElementsAre(LaneRun{0, 3}));
    EXPECT_EQ(lanes.lanes(), 3U);
}

TEST(GpuLanes, NeverGivesALaneTwice) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        Rng random(seed);
        GpuLanes lanes(64);
        std::vector<bool> taken(64);
        std::vector<LaneRun> held;
        for (int step = 0; step < 500; ++step) {
            const auto used = static_cast<std::uint32_t>(std::count(taken.begin(), taken.end(), true));
            if (used < 64 && random.chance(0.55)) {
                for (const LaneRun& run : lanes.take(static_cast<std::uint32_t>(random.between(1, 64 - used)))) {
                    for (std::uint32_t lane = run.first; lane < run.first + run.count; ++lane) {
                        ASSERT_LT(lane, 64U) << "seed " << seed;
                        ASSERT_FALSE(taken[lane]) << "seed " << seed;
                        taken[lane] = true;
                    }
                    held.push_back(run);
                }
            } else if (!held.empty()) {
                std::swap(held[random.below(held.size())], held.back());
                const LaneRun run = held.back();
                held.pop_back();
                lanes.give_back(run);
                std::fill_n(taken.begin() + run.first, run.count, false);
            }
        }
        EXPECT_EQ(lanes.lanes(), 64U);
    }
}

}  // namespace
}  // namespace medley::io
