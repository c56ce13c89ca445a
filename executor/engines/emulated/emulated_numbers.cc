#include "executor/engines/emulated/emulated_numbers.h"

#include <numeric>

#include "core/error.h"
#include "executor/data/sample_order.h"

namespace medley::executor {
namespace {

constexpr std::uint64_t kStride = 0x9e3779b97f4a7c15ULL;

// The finaliser of splitmix64: a bijection that spreads each bit over all others.
constexpr std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
    return value ^ (value >> 31);
}

constexpr std::uint64_t chained(std::uint64_t hash, std::uint64_t value) { return mixed((hash + kStride) ^ mixed(value + kStride)); }

constexpr double unit(std::uint64_t hash) { return static_cast<double>(hash >> 11) * 0x1.0p-53; }

std::uint64_t key_of(std::uint64_t seed, const NodeWork& work) {
    std::uint64_t key = chained(chained(mixed(seed), static_cast<std::uint64_t>(work.step)), work.virtual_node);
    for (const std::int64_t sample : work.samples) { key = chained(key, static_cast<std::uint64_t>(sample)); }
    return key;
}

// Whole numbers wrap; signed ones may not.
void add_wrapping(std::int64_t& target, std::uint64_t addend) {
    target = static_cast<std::int64_t>(static_cast<std::uint64_t>(target) + addend);
}

const EmulatedModel& model_of(const TrainingJob& job) { return std::get<EmulatedModel>(job.model); }

}  // namespace

void add_emulated_gradient(std::uint64_t seed, const NodeWork& work, std::span<std::int64_t> sums) {
    std::uint64_t state = key_of(seed, work);
    for (std::int64_t& sum : sums) {
        state += kStride;
        add_wrapping(sum, mixed(state));
    }
}

double emulated_loss_sum(const NodeWork& work) {
    const double falling = 0.1 + 2.2 / (1 + 0.05 * static_cast<double>(work.step));
    const double wobble = unit(chained(static_cast<std::uint64_t>(work.step), work.virtual_node)) - 0.5;
    return static_cast<double>(work.samples.size()) * falling * (1 + 0.02 * wobble);
}

double emulated_output(std::uint64_t seed, std::int64_t sample) { return unit(chained(mixed(seed), static_cast<std::uint64_t>(sample))); }

std::vector<StateSection> EmulatedState::sections() {
    return {{"parameters", std::as_writable_bytes(std::span(parameters))}, {"updates", std::as_writable_bytes(std::span(&updates, 1))}};
}

EmulatedState initial_emulated_state(const TrainingJob& job) {
    EmulatedState state{.parameters = std::vector<std::int64_t>(static_cast<std::size_t>(model_of(job).parameters))};
    const std::uint64_t key = chained(mixed(job.seed), 0);
    for (std::size_t index = 0; index < state.parameters.size(); ++index) {
        state.parameters[index] = static_cast<std::int64_t>(chained(key, index));
    }
    return state;
}

EmulatedState emulated_state_after(const TrainingJob& job, std::span<const std::int64_t> virtual_nodes, std::int64_t steps) {
    EmulatedState state = initial_emulated_state(job);
    const SampleOrder order(emulated_samples(job), virtual_nodes, job.seed);
    const auto weight = static_cast<std::uint64_t>(std::accumulate(virtual_nodes.begin(), virtual_nodes.end(), std::int64_t{0}));
    std::vector<std::int64_t> samples;
    for (; state.updates < steps; ++state.updates) {
        for (std::uint32_t node = 0; node < virtual_nodes.size(); ++node) {
            order.fill(state.updates, node, samples);
            add_emulated_gradient(job.seed, {.step = state.updates, .virtual_node = node, .samples = samples}, state.parameters);
        }
        for (std::int64_t& parameter : state.parameters) { add_wrapping(parameter, weight); }
    }
    return state;
}

double emulated_loss_at(const TrainingJob& job, std::span<const std::int64_t> virtual_nodes, std::int64_t step) {
    const SampleOrder order(emulated_samples(job), virtual_nodes, job.seed);
    double loss = 0;
    std::vector<std::int64_t> samples;
    for (std::uint32_t node = 0; node < virtual_nodes.size(); ++node) {
        order.fill(step, node, samples);
        loss += emulated_loss_sum({.step = step, .virtual_node = node, .samples = samples});
    }
    return loss / static_cast<double>(order.global_batch());
}

std::int64_t emulated_samples(const TrainingJob& job) {
    if (const auto* data = std::get_if<SyntheticData>(&job.data)) { return data->samples; }
    refuse_value("data", "files", "synthetic data: an emulated model reads no files");
}

}  // namespace medley::executor
