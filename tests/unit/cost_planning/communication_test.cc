#include "cost/communication.h"

#include <gtest/gtest.h>

#include "core/rng.h"

namespace medley {
namespace {

constexpr double kGradient = 8e9;

Link link(double gb_per_s, double latency_us) {
    return {.bandwidth = BytesPerSecond{gb_per_s * 1e9}, .latency = Seconds{latency_us * 1e-6}};
}

/// Two nodes of four A, two of four B; racks of two nodes, so one rack of each type.
Cluster two_racks() {
    Cluster cluster{.name = "two racks"};
    cluster.gpu_types = {GpuType{.name = Name("A")}, GpuType{.name = Name("B")}};
    cluster.nodes = {NodeGroup{.name = "a", .count = 2, .gpu = GpuTypeId(0), .gpus = 4, .intra = link(100, 5)},
                     NodeGroup{.name = "b", .count = 2, .gpu = GpuTypeId(1), .gpus = 4, .intra = link(2, 5)}};
    cluster.network = {NetworkLevel{.name = "rack", .nodes = 2, .link = link(10, 8)},
                       NetworkLevel{.name = "cluster", .nodes = {}, .link = link(10, 50), .oversubscription = 2}};
    return cluster;
}

double seconds(const Communication& communication, int a, int b) {
    return communication.seconds(std::vector<TypeCount>{{Name("A"), a}, {Name("B"), b}}).value;
}

double ring(int gpus, double gb_per_s, double latency_us) {
    return 2.0 * (gpus - 1) / gpus * kGradient / (gb_per_s * 1e9) + 2.0 * (gpus - 1) * latency_us * 1e-6;
}

TEST(Communication, OfOneGpuCostsNothing) {
    const Communication communication = Communication::over(two_racks(), Bytes{kGradient});
    EXPECT_EQ(seconds(communication, 1, 0), 0);
    EXPECT_EQ(seconds(communication, 0, 1), 0);
}

TEST(Communication, InsideANodeUsesItsLink) {
    const Communication communication = Communication::over(two_racks(), Bytes{kGradient});
    EXPECT_DOUBLE_EQ(seconds(communication, 4, 0), ring(4, 100, 5));
    EXPECT_DOUBLE_EQ(seconds(communication, 0, 2), ring(2, 2, 5));
}

TEST(Communication, BetweenNodesUsesTheSlowestLinkCrossed) {
    const Communication communication = Communication::over(two_racks(), Bytes{kGradient});
    EXPECT_DOUBLE_EQ(seconds(communication, 5, 0), ring(5, 10, 8));  // the rack's link is slower than the node's
    EXPECT_DOUBLE_EQ(seconds(communication, 0, 5), ring(5, 2, 8));   // the node's link is slower than the rack's
    EXPECT_DOUBLE_EQ(seconds(communication, 8, 0), ring(8, 10, 8));
}

TEST(Communication, BetweenRacksPaysForOversubscription) {
    const Communication communication = Communication::over(two_racks(), Bytes{kGradient});
    EXPECT_DOUBLE_EQ(seconds(communication, 8, 1), ring(9, 5, 50));  // one B uses no link inside its node
    EXPECT_DOUBLE_EQ(seconds(communication, 8, 2), ring(10, 2, 50));
}

TEST(Communication, BeyondTheGroupsOfTheLastLevelCrossesThatLevel) {
    Cluster cluster = two_racks();
    cluster.network.pop_back();
    EXPECT_DOUBLE_EQ(seconds(Communication::over(cluster, Bytes{kGradient}), 8, 1), ring(9, 10, 8));
}

TEST(Communication, OverAnUnknownNetworkCostsNothing) {
    Cluster cluster = two_racks();
    cluster.network.clear();
    EXPECT_EQ(seconds(Communication::over(cluster, Bytes{kGradient}), 8, 8), 0);
    EXPECT_EQ(seconds(Communication(), 8, 8), 0);
}

TEST(Communication, InsideASingleNodeIsKnownWithoutANetwork) {
    Cluster cluster = two_racks();
    cluster.network.clear();
    cluster.nodes = {NodeGroup{.name = "a", .count = 1, .gpu = GpuTypeId(0), .gpus = 8, .intra = link(100, 5)}};
    EXPECT_DOUBLE_EQ(seconds(Communication::over(cluster, Bytes{kGradient}), 8, 0), ring(8, 100, 5));
}

TEST(Communication, GivenAsATermIsAddedWhateverIsUsed) {
    const Communication communication = Communication::fixed(Seconds{1.06});
    EXPECT_EQ(seconds(communication, 1, 0), 1.06);
    EXPECT_EQ(seconds(communication, 100, 7), 1.06);
}

Cluster random_cluster(Rng& rng) {
    Cluster cluster{.name = "random"};
    for (int type = 0; type < 3; ++type) {
        cluster.gpu_types.push_back(GpuType{.name = Name(std::string(1, static_cast<char>('A' + type)))});
    }
    for (std::int64_t groups = rng.between(3, 6); groups > 0; --groups) {
        NodeGroup group{.name = "n",
                        .count = static_cast<int>(rng.between(1, 3)),
                        .gpu = GpuTypeId(rng.below(3)),
                        .gpus = static_cast<int>(rng.between(1, 4)),
                        .intra = {}};
        if (rng.chance(0.8)) { group.intra = link(rng.uniform(1, 20), rng.uniform(0, 50)); }
        cluster.nodes.push_back(group);
    }
    int nodes = 1;
    for (std::int64_t levels = rng.between(0, 2); levels > 0; --levels) {
        nodes *= static_cast<int>(rng.between(2, 3));
        cluster.network.push_back(NetworkLevel{
            .name = "level", .nodes = nodes, .link = link(rng.uniform(1, 20), rng.uniform(0, 50)), .oversubscription = rng.uniform(1, 3)});
    }
    cluster.network.push_back(NetworkLevel{.name = "top", .nodes = {}, .link = link(rng.uniform(1, 20), rng.uniform(0, 50))});
    return cluster;
}

TEST(Communication, NeverGetsFasterWithMoreGpus) {
    Rng rng(7);
    for (int trial = 0; trial < 200; ++trial) {
        const Cluster cluster = random_cluster(rng);
        const Communication communication = Communication::over(cluster, Bytes{rng.uniform(1e8, 1e10)});
        std::vector<TypeCount> counts;
        for (const GpuType& type : cluster.gpu_types) { counts.push_back({type.name, static_cast<int>(rng.between(1, 6))}); }
        const Seconds before = communication.seconds(counts);
        ++counts[rng.below(counts.size())].gpus;
        EXPECT_GE(communication.seconds(counts), before);
    }
}

}  // namespace
}  // namespace medley
