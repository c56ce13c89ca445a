#include "tests/support/engine_group.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "core/error.h"
#include "executor/exact/exact_sum.h"
#include "executor/exact/fixed_point.h"

namespace medley::executor {
namespace {

std::vector<std::unique_ptr<Engine>> engines_of(const GroupSetup& setup) {
    std::vector<std::unique_ptr<Engine>> engines;
    for (std::size_t worker = 0; worker < setup.mapping.size(); ++worker) {
        engines.push_back(
            setup.make({.job = setup.job, .virtual_nodes = setup.virtual_nodes, .device = setup.device, .exact = setup.exact}));
    }
    return engines;
}

// Unsigned for whole numbers, which wrap.
template <class T>
void sum_as(const std::vector<Buffer>& buffers) {
    T* const first = static_cast<T*>(buffers.front().data);
    for (std::size_t worker = 1; worker < buffers.size(); ++worker) {
        const T* const other = static_cast<const T*>(buffers[worker].data);
        for (std::size_t i = 0; i < buffers.front().elements; ++i) { first[i] += other[i]; }
    }
    for (std::size_t worker = 1; worker < buffers.size(); ++worker) {
        std::memcpy(buffers[worker].data, first, buffers.front().elements * sizeof(T));
    }
}

}  // namespace

Mapping one_worker(std::size_t virtual_nodes) {
    std::vector<std::uint32_t> all(virtual_nodes);
    std::iota(all.begin(), all.end(), 0);
    return {all};
}

std::string bytes_of(const Buffer& buffer) { return {static_cast<const char*>(buffer.data), buffer.elements * bytes_of(buffer.type)}; }

void sum_over(const std::vector<Buffer>& buffers) {
    switch (buffers.front().type) {
        case ElementType::kFloat32: return sum_as<float>(buffers);
        case ElementType::kFloat64: return sum_as<double>(buffers);
        case ElementType::kInt64: return sum_as<std::uint64_t>(buffers);
    }
}

EngineGroup::EngineGroup(const GroupSetup& setup)
    : setup_(setup),
      engines_(engines_of(setup)),
      order_(engines_.front()->samples(), setup.virtual_nodes, setup.job.seed),
      scales_(engines_.front()->reduced_tensors().size()) {}

void EngineGroup::begin_step() {
    exponents_.assign(scales_.exponents().begin(), scales_.exponents().end());
    for (const auto& engine : engines_) { engine->begin_step({.step = step_, .fixed_point_exponents = exponents_}); }
}

NodeResult EngineGroup::run_node(std::size_t worker, std::uint32_t virtual_node) {
    std::vector<std::int64_t> samples;
    order_.fill(step_, virtual_node, samples);
    return engines_[worker]->run_node({.step = step_, .virtual_node = virtual_node, .samples = samples});
}

std::int64_t EngineGroup::run_nodes() {
    begin_step();
    ExactSum loss;
    std::int64_t weight = 0;
    for (std::size_t worker = 0; worker < engines_.size(); ++worker) {
        for (const std::uint32_t node : setup_.mapping[worker]) {
            const NodeResult result = run_node(worker, node);
            loss.add(result.loss_sum);
            weight += result.weight;
        }
    }
    loss_sum_ = loss.value();
    return weight;
}

bool EngineGroup::must_redo() {
    if (!setup_.exact) { return false; }
    std::vector<std::int64_t> largest(exponents_.size(), kNoExponent);
    bool overflow = false;
    for (const auto& engine : engines_) {
        const FixedPointStatus status = engine->fixed_point_status();
        for (std::size_t i = 0; i < largest.size(); ++i) { largest[i] = std::max(largest[i], status.largest_exponent[i]); }
        overflow |= status.overflow;
    }
    return scales_.learn(largest, overflow);
}

std::int64_t EngineGroup::sum_nodes() {
    std::int64_t weight = run_nodes();
    while (must_redo()) {
        ++redone_;
        weight = run_nodes();
    }
    std::vector<Buffer> buffers;
    bool not_finite = false;
    for (const auto& engine : engines_) {
        buffers.push_back(engine->reduction());
        not_finite |= engine->fixed_point_status().not_finite;
    }
    sum_over(buffers);
    if (not_finite) {
        std::vector<Buffer> marks;
        for (const auto& engine : engines_) { marks.push_back(engine->non_finite_marks()); }
        sum_over(marks);
    }
    return weight;
}

double EngineGroup::run_step() {
    const std::int64_t weight = sum_nodes();
    for (const auto& engine : engines_) { engine->apply(weight); }
    ++step_;
    return loss_sum_ / static_cast<double>(weight);
}

std::vector<double> EngineGroup::run_steps(int steps) {
    std::vector<double> losses;
    for (int i = 0; i < steps; ++i) { losses.push_back(run_step()); }
    return losses;
}

std::string EngineGroup::state(std::size_t worker) {
    std::string bytes;
    for (const StateSection& section : engines_[worker]->state()) {
        bytes.append(reinterpret_cast<const char*>(section.bytes.data()), section.bytes.size());
    }
    return bytes;
}

void EngineGroup::set_state(const std::string& bytes) {
    for (const auto& engine : engines_) {
        std::size_t offset = 0;
        for (const StateSection& section : engine->state()) {
            MEDLEY_ASSERT(offset + section.bytes.size() <= bytes.size());
            std::memcpy(section.bytes.data(), bytes.data() + offset, section.bytes.size());
            offset += section.bytes.size();
        }
        MEDLEY_ASSERT(offset == bytes.size());
        engine->state_changed();
    }
}

}  // namespace medley::executor
