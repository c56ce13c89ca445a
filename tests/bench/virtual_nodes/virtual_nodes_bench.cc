// The planner's speed: whole reports (plan, baseline, equal size, marginals, binding constraint) and the bare plan of a pair.
//
// Goals: 6 types x 512 GPUs, batch 65,536, 12 profiled sizes under 50 ms for throughput and 1 s for cost and energy;
// 3 types x 16 GPUs under 1 ms.

#include <benchmark/benchmark.h>

#include <fmt/format.h>

#include "planner/virtual_nodes/planner.h"

namespace medley::planner {
namespace {

constexpr int kSizes[] = {1, 2, 4, 8, 16, 32, 48, 64, 96, 128, 192, 256};

/// Types of speeds 1 : 1.6 : 2.56 : ..., rates that saturate with the size, prices that fall a little for faster types.
Profile profile_of(int types) {
    Profile profile{.model = Name("bench"), .gradient = Bytes{1e8}, .state = Bytes{2e8}};
    double rate = 100;
    for (int type = 0; type < types; ++type, rate *= 1.6) {
        GpuProfile& gpu = profile.gpus[Name(fmt::format("T{}", type))];
        for (const int size : kSizes) {
            const double seconds = (size + 6.0 + type) / rate * (1 + 0.01 * ((size * 7 + type * 3) % 5));
            gpu.points.push_back(ProfilePoint{.batch = Samples{size}, .seconds = Seconds{seconds}, .memory = Bytes{size * 3e7}});
        }
    }
    return profile;
}

Cluster cluster_of(int types, int gpus) {
    Cluster cluster{.name = "bench"};
    double price = 0.4;
    for (int type = 0; type < types; ++type, price *= 1.5) {
        cluster.gpu_types.push_back(GpuType{.name = Name(fmt::format("T{}", type)),
                                            .memory = Bytes{16 * kBytesPerGib},
                                            .price_usd_per_hour = price,
                                            .power_w = 100.0 + 60 * type});
        cluster.nodes.push_back(NodeGroup{.name = "n",
                                          .count = gpus / 8,
                                          .gpu = GpuTypeId(static_cast<std::size_t>(type)),
                                          .gpus = 8,
                                          .intra = Link{.bandwidth = BytesPerSecond{50e9 + 20e9 * type}, .latency = Seconds{5e-6}}});
    }
    cluster.network = {NetworkLevel{.name = "rack", .nodes = 16, .link = {.bandwidth = BytesPerSecond{12.5e9}, .latency = Seconds{8e-6}}},
                       NetworkLevel{.name = "spine", .nodes = {}, .link = {.bandwidth = BytesPerSecond{6e9}, .latency = Seconds{2e-5}}}};
    return cluster;
}

PlanRequest request_of(const Profile& profile, const Cluster& cluster, std::int64_t batch, Objective objective) {
    PlanRequest request{.profile = &profile,
                        .offered = {},
                        .global_batch = Samples{batch},
                        .objective = objective,
                        .virtual_nodes = {},
                        .communication = {}};
    const std::vector<int> capacity = cluster.capacity();
    for (std::size_t type = 0; type < capacity.size(); ++type) {
        request.offered.push_back(OfferedGpus{.type = cluster.gpu_types[type], .gpus = capacity[type]});
    }
    return request;
}

void report(benchmark::State& state, int types, int gpus, std::int64_t batch, Objective objective, bool topology) {
    const Profile profile = profile_of(types);
    const Cluster cluster = cluster_of(types, gpus);
    PlanRequest request = request_of(profile, cluster, batch, objective);
    if (topology) { request.communication = Communication::over(cluster, profile.gradient); }
    bool optimal = true;
    for (auto _ : state) {
        const PlanReport result = plan_report(request);
        optimal = optimal && result.best.feasible() && result.best.best->optimal;
        benchmark::DoNotOptimize(result);
    }
    state.SetLabel(optimal ? "optimal" : "NOT proved");
}

void pair(benchmark::State& state, BatchRule rule) {
    const Profile profile = profile_of(3);
    const Cluster cluster = cluster_of(3, 16);
    PlanRequest request = request_of(profile, cluster, 2048, Objective::kThroughput);
    request.offered.pop_back();
    request.batch_rule = rule;
    for (auto _ : state) { benchmark::DoNotOptimize(best_plan(request)); }
}

BENCHMARK_CAPTURE(report, small_throughput, 3, 16, 8192, Objective::kThroughput, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(report, small_throughput_65536, 3, 16, 65536, Objective::kThroughput, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(report, small_throughput_topology, 3, 16, 8192, Objective::kThroughput, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(report, small_cost, 3, 16, 8192, Objective::kCost, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(report, large_throughput, 6, 512, 65536, Objective::kThroughput, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(report, large_throughput_odd, 6, 512, 65521, Objective::kThroughput, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(report, large_throughput_topology, 6, 512, 65536, Objective::kThroughput, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(report, large_cost, 6, 512, 65536, Objective::kCost, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(report, large_cost_odd, 6, 512, 65521, Objective::kCost, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(report, large_cost_topology, 6, 512, 65536, Objective::kCost, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(report, large_energy, 6, 512, 65536, Objective::kEnergy, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pair, power_of_two, BatchRule::kPowerOfTwo)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(pair, any, BatchRule::kAny)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace medley::planner
