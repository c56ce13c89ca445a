/// Speed of the cluster simulator: synthetic jobs on 10,000 GPUs at 90 % load, with and without metrics; a bare heap loop for scale.

#include <benchmark/benchmark.h>

#include "cost/profile_cost_model.h"
#include "planner/policies/policy_table.h"
#include "sched/metrics.h"
#include "simulator/cluster/event_queue.h"
#include "simulator/cluster/simulation.h"
#include "simulator/cluster/synthetic.h"

namespace medley {
namespace {

constexpr int kGpus = 10'000;

class NullSink : public EventSink {
 public:
    void record(const LogRecord&) override {}
};

Cluster ten_thousand_gpus() {
    Cluster cluster;
    cluster.gpu_types = {{.name = Name("A"), .price_usd_per_hour = 2}, {.name = Name("B"), .price_usd_per_hour = 1}};
    cluster.nodes = {{.count = kGpus / 16, .gpu = GpuTypeId(std::size_t{0}), .gpus = 8},
                     {.count = kGpus / 16, .gpu = GpuTypeId(std::size_t{1}), .gpus = 8}};
    return cluster;
}

Trace synthetic(std::int64_t jobs) {
    simulator::SyntheticOptions options;
    options.jobs = static_cast<std::size_t>(jobs);
    options.jobs_per_hour = simulator::jobs_per_hour_for_load(options, 0.9, kGpus);
    return simulator::generate(options);
}

void run(benchmark::State& state, const char* policy_name, bool with_metrics) {
    const Cluster cluster = ten_thousand_gpus();
    const Trace trace = synthetic(state.range(0));
    const ProfileCostModel speeds(cluster, {});
    for (auto _ : state) {
        const auto policy = planner::make_policy(policy_name);
        NullSink nothing;
        Metrics metrics;
        EventSink& log = with_metrics ? static_cast<EventSink&>(metrics) : nothing;
        const auto result = simulator::simulate(cluster, trace, speeds, speeds, *policy, log, {});
        if (result.jobs_unfinished > 0) { state.SkipWithError("jobs left over"); }
        if (with_metrics) { benchmark::DoNotOptimize(metrics.summary().avg_jct_s); }
    }
    state.counters["s_per_job"] = benchmark::Counter(static_cast<double>(state.range(0)) * static_cast<double>(state.iterations()),
                                                     benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void heap_loop(benchmark::State& state) {
    const Trace trace = synthetic(state.range(0));
    for (auto _ : state) {
        simulator::EventQueue queue;
        for (std::size_t index = 0; index < trace.jobs.size(); ++index) {
            const Job& job = trace.jobs[index];
            while (!queue.empty() && queue.top().time <= job.submit) { queue.pop(); }
            queue.push(job.submit + to_sim_time(job.duration), simulator::Happening::kFinish, static_cast<std::uint32_t>(index));
        }
        benchmark::DoNotOptimize(queue.size());
    }
}

void speed_lookup(benchmark::State& state) {
    const Cluster cluster = ten_thousand_gpus();
    Profile profile{.model = Name("m")};
    for (const char* type : {"A", "B"}) {
        for (std::int64_t batch = 1; batch <= 1024; batch *= 2) {
            profile.gpus[Name(type)].points.push_back({.batch = Samples{batch}, .seconds = Seconds{1}});
        }
    }
    const ProfileCostModel speeds(cluster, {profile});
    Job job;
    job.model = profile.model;
    job.batch_size = 256;
    job.reference_gpu_type = Name("A");
    job.duration = Seconds{1};
    int gpus = 0;
    for (auto _ : state) {
        gpus = gpus % 64 + 1;
        benchmark::DoNotOptimize(speeds.speed(job, GpuTypeId(std::size_t{1}), gpus));
    }
}

BENCHMARK(speed_lookup);
BENCHMARK(heap_loop)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, fifo, "fifo", false)->RangeMultiplier(10)->Range(10'000, 1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, srtf, "srtf", false)->RangeMultiplier(10)->Range(10'000, 1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, fifo_with_metrics, "fifo", true)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, srtf_with_metrics, "srtf", true)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace medley
