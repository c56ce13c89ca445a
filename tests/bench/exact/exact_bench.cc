/// What --exact costs per byte of gradient: folding a virtual node's floats into the sums, unfolding the sums, and plain addition beside
/// them for comparison. Bytes are those of the floats.

#include <benchmark/benchmark.h>

#include <vector>

#include "core/rng.h"
#include "executor/exact/exact_sum.h"
#include "executor/exact/fixed_point.h"

namespace medley::executor {
namespace {

constexpr std::size_t kAddends = 8;

template <class Float>
std::vector<Float> random_values(std::int64_t size) {
    Rng rng(1);
    std::vector<Float> values(static_cast<std::size_t>(size));
    for (Float& value : values) { value = static_cast<Float>(rng.uniform(-1, 1)); }
    return values;
}

template <class Float>
void count(benchmark::State& state) {
    state.SetBytesProcessed(state.iterations() * state.range(0) * static_cast<std::int64_t>(sizeof(Float)));
}

template <class Float>
void fold_values(benchmark::State& state) {
    const std::vector<Float> values = random_values<Float>(state.range(0));
    std::vector<std::int64_t> sums(values.size(), 0);
    for (auto _ : state) { benchmark::DoNotOptimize(fold(std::span<const Float>(values), 30, kAddends, sums)); }
    count<Float>(state);
}

template <class Float>
void unfold_values(benchmark::State& state) {
    std::vector<Float> values = random_values<Float>(state.range(0));
    std::vector<std::int64_t> sums(values.size(), 0);
    fold(std::span<const Float>(values), 0, kAddends, sums);
    for (auto _ : state) {
        unfold(sums, 0, kAddends, std::span<Float>(values));
        benchmark::ClobberMemory();
    }
    count<Float>(state);
}

void add_values(benchmark::State& state) {
    const std::vector<float> values = random_values<float>(state.range(0));
    std::vector<float> sums(values.size(), 0);
    for (auto _ : state) {
        for (std::size_t index = 0; index < values.size(); ++index) { sums[index] += values[index]; }
        benchmark::ClobberMemory();
    }
    count<float>(state);
}

void add_to_exact_sum(benchmark::State& state) {
    const std::vector<double> values = random_values<double>(state.range(0));
    for (auto _ : state) {
        ExactSum sum;
        for (const double value : values) { sum.add(value); }
        benchmark::DoNotOptimize(sum.value());
    }
    count<double>(state);
}

BENCHMARK(fold_values<float>)->Arg(1 << 14)->Arg(1 << 20)->Arg(10'000'000);
BENCHMARK(fold_values<double>)->Arg(1 << 14)->Arg(1 << 20);
BENCHMARK(unfold_values<float>)->Arg(1 << 14)->Arg(1 << 20)->Arg(10'000'000);
BENCHMARK(unfold_values<double>)->Arg(1 << 14)->Arg(1 << 20);
BENCHMARK(add_values)->Arg(1 << 14)->Arg(1 << 20)->Arg(10'000'000);
BENCHMARK(add_to_exact_sum)->Arg(1 << 10);

}  // namespace
}  // namespace medley::executor
