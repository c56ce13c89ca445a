#include "planner/policies/fair_shares.h"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/rng.h"

namespace medley::planner {
namespace {

using testing::ElementsAre;

std::vector<int> shares(std::vector<ShareClaim> claims, int gpus) { return fair_shares(claims, gpus); }

TEST(FairShares, ALoneClaimGetsItsDemand) { EXPECT_THAT(shares({{.demand = 5}}, 8), ElementsAre(5)); }

TEST(FairShares, EqualClaimsGetEqualPowersOfTwo) { EXPECT_THAT(shares({{.demand = 8}, {.demand = 8}}, 8), ElementsAre(4, 4)); }

TEST(FairShares, WhatIsLeftOverDoublesTheFirst) {
    EXPECT_THAT(shares({{.demand = 8}, {.demand = 4}, {.demand = 4}}, 8), ElementsAre(4, 2, 2));
}

TEST(FairShares, SmallDemandsLeaveTheirRestToTheOthers) {
    // 10 GPUs, equal weights: 2 each; the demand of 1 leaves, then 9/4 -> 2 each, none satisfied; the last GPU doubles nobody.
    EXPECT_THAT(shares({{.demand = 8}, {.demand = 8}, {.demand = 8}, {.demand = 8}, {.demand = 1}}, 10), ElementsAre(2, 2, 2, 2, 1));
}

TEST(FairShares, SharesThatAreTooManyAreHalvedFromTheLastOn) {
    // 8 x 100/105 -> 4 and five times at least 1 make 9; the ones cannot be halved, so the first goes to 2; the spare GPU doubles
    // the second.
    EXPECT_THAT(shares({{.demand = 8, .weight = 100}, {.demand = 4}, {.demand = 4}, {.demand = 4}, {.demand = 4}, {.demand = 4}}, 8),
                ElementsAre(2, 2, 1, 1, 1, 1));
}

TEST(FairShares, NobodyGetsLessThanItsLeast) {
    EXPECT_THAT(shares({{.demand = 8, .weight = 9}, {.demand = 4, .least = 3}}, 8), ElementsAre(4, 3));
}

TEST(FairShares, AClaimOfTenthsIsNotRoundedAway) {
    EXPECT_THAT(shares({{.demand = 4, .weight = 0.1}, {.demand = 4, .weight = 0.1}, {.demand = 4, .weight = 0.1}}, 6),
                ElementsAre(2, 2, 2));
}

TEST(FairShares, RandomClaimsNeverExceedThePoolAndLeaveNoRoomToDouble) {
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        Rng random(seed);
        const int gpus = static_cast<int>(random.between(1, 64));
        std::vector<ShareClaim> claims(random.below(static_cast<std::uint64_t>(gpus)) + 1);
        for (ShareClaim& claim : claims) {
            claim.demand = std::min(1 << random.between(0, 6), gpus);
            claim.weight = static_cast<double>(random.between(1, 10));
        }
        const std::vector<int> granted = fair_shares(claims, gpus);
        const int used = std::accumulate(granted.begin(), granted.end(), 0);
        ASSERT_LE(used, gpus) << seed;
        for (std::size_t index = 0; index < claims.size(); ++index) {
            ASSERT_GE(granted[index], 1) << seed;
            ASSERT_LE(granted[index], claims[index].demand) << seed;
            const bool could_double = 2 * granted[index] <= claims[index].demand && granted[index] <= gpus - used;
            ASSERT_FALSE(could_double) << seed;
        }
    }
}

}  // namespace
}  // namespace medley::planner
