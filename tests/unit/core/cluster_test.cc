#include "core/cluster.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/unit/core/refusal.h"

namespace medley {
namespace {

Cluster lab() {
    return Cluster{.name = "lab",
                   .gpu_types = {{.name = Name("V100"), .memory = Bytes{16 * kBytesPerGib}, .price_usd_per_hour = 2.48, .power_w = 300},
                                 {.name = Name("P100")}},
                   .nodes = {{.name = "v", .count = 2, .gpu = GpuTypeId(0), .gpus = 1, .intra = Link{BytesPerSecond{130e9}, Seconds{5e-6}}},
                             {.name = "p", .count = 2, .gpu = GpuTypeId(1), .gpus = 4}},
                   .network = {{.name = "rack", .nodes = 2, .link = {BytesPerSecond{12.5e9}, Seconds{8e-6}}},
                               {.name = "cluster", .link = {BytesPerSecond{1.25e9}, Seconds{50e-6}}, .oversubscription = 2}}};
}

TEST(Cluster, CountsItsGpusByType) {
    EXPECT_EQ(lab().capacity(), (std::vector<int>{2, 8}));
    EXPECT_EQ(lab().total_gpus(), 10);
}

TEST(Cluster, FindsTypesByName) {
    EXPECT_EQ(lab().find("P100"), GpuTypeId(1));
    EXPECT_EQ(lab().find("p100"), std::nullopt);
    EXPECT_EQ(lab().type(GpuTypeId(1)).name, Name("P100"));
}

TEST(Cluster, AcceptsWhatIsInOrder) {
    EXPECT_EQ(refusal([] { lab().validate(); }), "");
    Cluster cluster = lab();
    cluster.gpu_types[0].price_usd_per_hour = 0;
    cluster.network.clear();
    EXPECT_EQ(refusal([&] { cluster.validate(); }), "");
}

TEST(Cluster, RefusesEachWrongFigureByPlaceValueAndExpectation) {
    const std::vector<Spoiled<Cluster>> cases = {
        {[](Cluster& c) { c.gpu_types.clear(); }, "gpu_types: expected at least one GPU type"},
        {[](Cluster& c) { c.nodes.clear(); }, "nodes: expected at least one group of nodes"},
        {[](Cluster& c) { c.gpu_types[1].name = Name(); }, "gpu_types: expected a name for every type"},
        {[](Cluster& c) { c.gpu_types[1].name = Name("V100"); }, "gpu_types: found 'V100', expected each type once"},
        {[](Cluster& c) { c.gpu_types[0].memory = Bytes{0}; }, "gpu_types.V100.memory_gib: found '0', expected a finite number above 0"},
        {[](Cluster& c) { c.gpu_types[0].price_usd_per_hour = -1; },
         "gpu_types.V100.price_usd_per_hour: found '-1', expected a finite number of at least 0"},
        {[](Cluster& c) { c.gpu_types[0].power_w = std::nan(""); },
         "gpu_types.V100.power_w: found 'nan', expected a finite number above 0"},
        {[](Cluster& c) { c.gpu_types[0].fp32_tflops = HUGE_VAL; },
         "gpu_types.V100.fp32_tflops: found 'inf', expected a finite number above 0"},
        {[](Cluster& c) { c.gpu_types[0].fp16_tflops = 0; }, "gpu_types.V100.fp16_tflops: found '0', expected a finite number above 0"},
        {[](Cluster& c) { c.gpu_types[0].memory_gb_per_s = -3; },
         "gpu_types.V100.memory_gb_per_s: found '-3', expected a finite number above 0"},
        {[](Cluster& c) { c.nodes[1].count = 0; }, "nodes[1].count: found '0', expected a whole number of at least 1"},
        {[](Cluster& c) { c.nodes[1].gpus = -4; }, "nodes[1].gpus: found '-4', expected a whole number of at least 1"},
        {[](Cluster& c) { c.nodes[1].gpu = GpuTypeId(2); }, "nodes[1].gpu: expected a type listed under gpu_types"},
        {[](Cluster& c) { c.nodes[1].gpu = GpuTypeId(); }, "nodes[1].gpu: expected a type listed under gpu_types"},
        {[](Cluster& c) { c.nodes[0].intra->bandwidth.value = 0; }, "nodes[0].intra_gb_per_s: found '0', expected a finite number above 0"},
        {[](Cluster& c) { c.nodes[0].intra->latency.value = -1; },
         "nodes[0].intra_latency_us: found '-1', expected a finite number of at least 0"},
        {[](Cluster& c) { c.network[1].link.bandwidth.value = -1; }, "network[1].gb_per_s: found '-1', expected a finite number above 0"},
        {[](Cluster& c) { c.network[1].oversubscription = 0; }, "network[1].oversubscription: found '0', expected a finite number above 0"},
        {[](Cluster& c) { c.network[0].nodes = 0; }, "network[0].nodes: found '0', expected at least the 1 of the level below"},
        {[](Cluster& c) { c.network[1].nodes = 1; }, "network[1].nodes: found '1', expected at least the 2 of the level below"},
        {[](Cluster& c) { c.network[0].nodes.reset(); },
         "network[1]: found 'cluster', expected no level above one that spans all nodes (give the lower one `nodes`)"},
        {[](Cluster& c) { c.nodes[0].count = c.nodes[0].gpus = 100'000; },
         "nodes: found '10000000008 GPUs in all', expected at most 100000000 GPUs"},
    };
    for (const auto& [spoil, expected] : cases) {
        Cluster cluster = lab();
        spoil(cluster);
        EXPECT_EQ(refusal([&] { cluster.validate(); }), expected);
    }
}

}  // namespace
}  // namespace medley
