#include "planner/policies/group_split.h"

#include <algorithm>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/rng.h"

namespace medley::planner {
namespace {

using Shares = std::vector<std::vector<double>>;
using Homes = std::vector<std::optional<GpuTypeId>>;

const std::optional<GpuTypeId> kNowhere;
const std::optional<GpuTypeId> kOn0 = GpuTypeId(std::size_t{0});
const std::optional<GpuTypeId> kOn1 = GpuTypeId(std::size_t{1});

Shares split(std::vector<double> mean, std::vector<double> gain, const Homes& homes) { return split_group(mean, gain, homes); }

TEST(GroupSplit, WholeJobsGoToEqualTypesEachAtHome) {
    EXPECT_EQ(split({0.5, 0.5}, {1, 1}, {kOn1, kOn0, kOn0, kOn1}), (Shares{{0, 1}, {1, 0}, {1, 0}, {0, 1}}));
}

TEST(GroupSplit, JobsWithoutHomeTakeWhatIsLeft) { EXPECT_EQ(split({0.5, 0.5}, {1, 1}, {kNowhere, kOn0}), (Shares{{0, 1}, {1, 0}})); }

TEST(GroupSplit, HalfTheTimeOnOneTypeRatherThanAQuarterOnTwo) {
    EXPECT_EQ(split({0.25, 0.25}, {1, 1}, {kOn0, kOn1, kNowhere, kNowhere}), (Shares{{0.5, 0}, {0, 0.5}, {0.5, 0}, {0, 0.5}}));
}

TEST(GroupSplit, AFastAndASlowTypeAreSharedWhereTimeIsShort) {
    EXPECT_EQ(split({0.5, 0.5}, {2, 1}, {kOn0, kOn1}), (Shares{{0.5, 0.5}, {0.5, 0.5}}));
}

TEST(GroupSplit, AFastTypeAloneIsEnoughWhereTimeIsLeft) {
    // Mean gain 1 each: half the time on the fast type, or all of it on the slow one.
    EXPECT_EQ(split({0.25, 0.5}, {2, 1}, {kOn1, kNowhere}), (Shares{{0, 1}, {0.5, 0}}));
}

TEST(GroupSplit, EveryJobGetsTheMeanGainWithinTheSameTotals) {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        SCOPED_TRACE(seed);
        Rng random(seed);
        const auto types = static_cast<std::size_t>(random.between(1, 4));
        std::vector<double> mean(types), gain(types);
        for (double& each : mean) { each = random.chance(0.3) ? 0 : random.uniform(); }
        for (double& each : gain) { each = static_cast<double>(random.between(1, 3)); }
        const double total = std::max(1.0, std::accumulate(mean.begin(), mean.end(), 0.0));
        for (double& each : mean) { each /= total; }
        Homes homes(random.below(6) + 1);
        for (auto& home : homes) { home = random.chance(0.5) ? kNowhere : GpuTypeId(static_cast<std::size_t>(random.below(types))); }
        const double mean_gain = std::inner_product(gain.begin(), gain.end(), mean.begin(), 0.0);

        const Shares shares = split_group(mean, gain, homes);
        std::vector<double> used(types, 0);
        for (const std::vector<double>& job : shares) {
            EXPECT_NEAR(std::inner_product(gain.begin(), gain.end(), job.begin(), 0.0), mean_gain, 1e-5);
            EXPECT_LE(std::accumulate(job.begin(), job.end(), 0.0), 1 + 1e-5);
            for (std::size_t type = 0; type < types; ++type) { used[type] += job[type]; }
        }
        for (std::size_t type = 0; type < types; ++type) { EXPECT_NEAR(used[type], mean[type] * static_cast<double>(homes.size()), 1e-5); }
    }
}

}  // namespace
}  // namespace medley::planner
