/// How long a long trace takes to read and to write.

#include <benchmark/benchmark.h>

#include "core/rng.h"
#include "io/csv_table.h"
#include "io/trace_file.h"

namespace medley::io {
namespace {

Trace synthetic(std::int64_t jobs) {
    Rng rng(1);
    Trace trace;
    SimTime submit;
    for (std::int64_t index = 0; index < jobs; ++index) {
        submit += SimTime{rng.between(0, 2'000'000)} * 1000;
        Job job{.id = std::to_string(index), .submit = submit, .model = Name("resnet50"), .reference_gpu_type = Name("V100")};
        job.gpus = 1 << rng.below(4);
        job.duration = Seconds{static_cast<double>(rng.between(600, 360'000)) / 10};
        trace.jobs.push_back(std::move(job));
    }
    return trace;
}

void count(benchmark::State& state, std::size_t bytes) {
    state.SetItemsProcessed(state.iterations() * state.range(0));
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

void split_rows(benchmark::State& state) {
    const std::string text = format_trace(synthetic(state.range(0)));
    for (auto _ : state) {
        CsvTable table(text);
        while (table.next()) { benchmark::DoNotOptimize(table.cell(0)); }
    }
    count(state, text.size());
}

void read_trace(benchmark::State& state) {
    const std::string text = format_trace(synthetic(state.range(0)));
    for (auto _ : state) { benchmark::DoNotOptimize(parse_trace(text, "bench.csv")); }
    count(state, text.size());
}

void write_trace(benchmark::State& state) {
    const Trace trace = synthetic(state.range(0));
    std::size_t bytes = 0;
    for (auto _ : state) { bytes = format_trace(trace).size(); }
    count(state, bytes);
}

BENCHMARK(split_rows)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(read_trace)->Arg(10'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(write_trace)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace medley::io
