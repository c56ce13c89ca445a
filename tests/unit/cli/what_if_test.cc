#include "cli/what_if.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace medley::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// 3 nodes of 4 V100 and 2 nodes of 8 K80.
Cluster lab() {
    Cluster cluster;
    cluster.gpu_types = {{.name = Name("V100")}, {.name = Name("K80")}};
    cluster.nodes = {{.name = "v", .count = 3, .gpu = GpuTypeId(std::size_t{0}), .gpus = 4},
                     {.name = "k", .count = 2, .gpu = GpuTypeId(std::size_t{1}), .gpus = 8}};
    return cluster;
}

std::string refusal(const std::string& change) {
    try {
        with_change(lab(), change);
    } catch (const Error& error) { return error.what(); }
    return "";
}

TEST(WhatIf, NoChangeChangesNothing) { EXPECT_THAT(with_change(lab(), "").capacity(), ElementsAre(12, 16)); }

TEST(WhatIf, AddsNodesLikeThoseOfTheTypeAndARest) {
    const Cluster cluster = with_change(lab(), "+9 V100");
    EXPECT_THAT(cluster.capacity(), ElementsAre(21, 16));
    ASSERT_EQ(cluster.nodes.size(), 4U);
    EXPECT_EQ(cluster.nodes[2].count, 2);
    EXPECT_EQ(cluster.nodes[2].gpus, 4);
    EXPECT_EQ(cluster.nodes[3].gpus, 1);
}

TEST(WhatIf, TakesWholeNodesFirstAndThenAPart) {
    const Cluster cluster = with_change(lab(), "-5 V100");
    EXPECT_THAT(cluster.capacity(), ElementsAre(7, 16));
    ASSERT_EQ(cluster.nodes.size(), 3U);
    EXPECT_EQ(cluster.nodes[0].count, 1);
    EXPECT_EQ(cluster.nodes[1].gpus, 3);
}

TEST(WhatIf, TakesTheLastGpuOfAType) { EXPECT_THAT(with_change(lab(), "-12 V100").capacity(), ElementsAre(0, 16)); }

TEST(WhatIf, CombinesSeveralChanges) { EXPECT_THAT(with_change(lab(), "+4 V100, -8 K80").capacity(), ElementsAre(16, 8)); }

TEST(WhatIf, RefusesWhatItCannotDo) {
    EXPECT_THAT(refusal("-13 V100"), HasSubstr("at most the 12 that there are"));
    EXPECT_THAT(refusal("4 V100"), HasSubstr("+COUNT TYPE"));
    EXPECT_THAT(refusal("+4"), HasSubstr("+COUNT TYPE"));
    EXPECT_THAT(refusal("+0 V100"), HasSubstr("a whole number from 1"));
    EXPECT_THAT(refusal("+x V100"), HasSubstr("a whole number from 1"));
    EXPECT_THAT(refusal("-12 V100,-16 K80"),
                HasSubstr("--what-if: found '-12 V100,-16 K80', expected a change that leaves a valid cluster (nodes"));
}

}  // namespace
}  // namespace medley::cli
