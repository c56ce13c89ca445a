#include "io/cluster_file.h"

#include <gmock/gmock.h>

#include "tests/unit/core/refusal.h"

namespace medley::io {
namespace {

const std::string kLab = R"(name: lab
gpu_types:
  V100: {memory_gib: 16, price_usd_per_hour: 2.48, power_w: 300, fp32_tflops: 15.7, fp16_tflops: 125, memory_gb_per_s: 900}
  P100:
nodes:
  - {name: v, count: 2, gpu: V100, gpus: 1, intra_gb_per_s: 130, intra_latency_us: 5}
  - {name: p, gpu: P100, gpus: 4}
network:
  - {level: rack, nodes: 2, gb_per_s: 12.5, latency_us: 8}
  - {level: cluster, gb_per_s: 1.25, oversubscription: 2}
)";

std::string lab_with(const std::string& from, const std::string& to) {
    std::string text = kLab;
    return text.replace(text.find(from), from.size(), to);
}

std::string cluster_refusal_of(const std::string& text) {
    return refusal([&] { parse_cluster(text, "lab.yaml"); });
}

TEST(ClusterFile, EveryFieldArrivesInItsUnit) {
    const Cluster cluster = parse_cluster(kLab, "lab.yaml");
    EXPECT_EQ(cluster.name, "lab");
    const GpuType& v100 = cluster.gpu_types.at(0);
    EXPECT_EQ(v100.name.text(), "V100");
    EXPECT_EQ(v100.memory, Bytes{17'179'869'184.0});
    EXPECT_EQ(v100.price_usd_per_hour, 2.48);
    EXPECT_EQ(v100.power_w, 300);
    EXPECT_EQ(v100.fp32_tflops, 15.7);
    EXPECT_EQ(v100.fp16_tflops, 125);
    EXPECT_EQ(v100.memory_gb_per_s, 900);
    EXPECT_EQ(cluster.gpu_types.at(1).memory, std::nullopt);
    EXPECT_EQ(cluster.capacity(), (std::vector<int>{2, 4}));
    EXPECT_EQ(cluster.nodes.at(0).intra->bandwidth, BytesPerSecond{130e9});
    EXPECT_DOUBLE_EQ(cluster.nodes.at(0).intra->latency.value, 5e-6);
    EXPECT_FALSE(cluster.nodes.at(1).intra);
    EXPECT_EQ(cluster.network.at(0).nodes, 2);
    EXPECT_DOUBLE_EQ(cluster.network.at(0).link.latency.value, 8e-6);
    EXPECT_EQ(cluster.network.at(1).nodes, std::nullopt);
    EXPECT_EQ(cluster.network.at(1).oversubscription, 2);
}

TEST(ClusterFile, TheShortNetworkIsOneLevel) {
    const Cluster cluster =
        parse_cluster("gpu_types: {V100: }\nnodes: [{gpu: V100}]\nnetwork: {inter_gb_per_s: 1.25, inter_latency_us: 50}\n", "f");
    ASSERT_EQ(cluster.network.size(), 1);
    EXPECT_EQ(cluster.network[0].link.bandwidth, BytesPerSecond{1.25e9});
    EXPECT_EQ(cluster.network[0].nodes, std::nullopt);
    EXPECT_EQ(cluster.total_gpus(), 1);
}

TEST(ClusterFile, UnknownKeysAreRefusedWithTheNearestKnownOne) {
    EXPECT_EQ(
        cluster_refusal_of(lab_with("power_w", "powre_w")),
        "lab.yaml: line 3, gpu_types.V100.powre_w: found 'powre_w', expected power_w (known: memory_gib, price_usd_per_hour, power_w, "
        "fp32_tflops, fp16_tflops, memory_gb_per_s)");
}

TEST(ClusterFile, UnknownGpuTypesAreRefusedWithTheNearestKnownOne) {
    EXPECT_EQ(cluster_refusal_of(lab_with("gpu: P100", "gpu: P1000")),
              "lab.yaml: line 7, nodes[1].gpu: found 'P1000', expected P100 (known: V100, P100)");
}

TEST(ClusterFile, WrongValuesAreRefused) {
    EXPECT_EQ(cluster_refusal_of(lab_with("memory_gib: 16", "memory_gib: -16")),
              "lab.yaml: line 3, gpu_types.V100.memory_gib: found '-17179869184', expected a finite number above 0");
    EXPECT_EQ(cluster_refusal_of(lab_with("2.48", ".nan")),
              "lab.yaml: line 3, gpu_types.V100.price_usd_per_hour: found '.nan', expected a finite number");
    EXPECT_EQ(cluster_refusal_of(lab_with("count: 2", "count: 1000000000000000000")),
              "lab.yaml: line 6, nodes[0].count: found '1000000000000000000', expected a whole number from 1 to 100000000");
    EXPECT_EQ(cluster_refusal_of(lab_with("gpus: 1", "gpus: 0.5")),
              "lab.yaml: line 6, nodes[0].gpus: found '0.5', expected a whole number from 1 to 100000000");
    EXPECT_EQ(cluster_refusal_of(lab_with("name: p, ", "name: v, ")),
              "lab.yaml: line 7, nodes[1].name: found 'v', expected each name once");
    EXPECT_EQ(cluster_refusal_of(lab_with("name: p, ", "name: V100, ")),
              "lab.yaml: line 7, nodes[1].name: found 'V100', expected a name that no GPU type has");
    EXPECT_EQ(cluster_refusal_of("format: 2\n" + kLab), "lab.yaml: line 1, format: found '2', expected 1");
    EXPECT_EQ(cluster_refusal_of(lab_with("intra_gb_per_s: 130, ", "")),
              "lab.yaml: line 6, nodes[0].intra_latency_us: found '5', expected intra_gb_per_s beside it");
}

TEST(ClusterFile, AClusterWithoutTypesOrNodesIsRefused) {
    EXPECT_EQ(cluster_refusal_of("name: x\n"), "lab.yaml: line 1, gpu_types: expected a value, which is missing");
    EXPECT_EQ(cluster_refusal_of("gpu_types: {V100: }\nnodes: []\n"), "lab.yaml: line 2, nodes: expected at least one group of nodes");
}

TEST(ClusterFile, TypesBeyondSixtyFourAreRefused) {
    std::string text = "gpu_types:\n";
    for (int type = 0; type < 65; ++type) { text += "  T" + std::to_string(type) + ":\n"; }
    EXPECT_EQ(cluster_refusal_of(text + "nodes: [{gpu: T0}]\n"), "lab.yaml: line 2, gpu_types: found 'a map', expected at most 64 types");
}

TEST(GpuCatalogue, HoldsTypesAlone) {
    const auto types = parse_gpu_types("source: data sheets\ngpu_types:\n  T4: {memory_gib: 16, power_w: 70}\n", "gpus.yaml");
    ASSERT_EQ(types.size(), 1);
    EXPECT_EQ(types[0].power_w, 70);
    EXPECT_EQ(refusal([] { parse_gpu_types("gpu_types:\n  T4: {power_w: 0}\n", "gpus.yaml"); }),
              "gpus.yaml: line 2, gpu_types.T4.power_w: found '0', expected a finite number above 0");
    EXPECT_EQ(refusal([] { parse_gpu_types(kLab, "lab.yaml"); }),
              "lab.yaml: line 1, name: found 'name', expected one of format, source, gpu_types");
}

}  // namespace
}  // namespace medley::io
