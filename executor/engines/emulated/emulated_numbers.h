#pragma once
/// The numbers of the emulated engine: pure functions of seed, step, virtual node and sample positions, so that any result of a run can be
/// foretold without running it.
///
/// A step adds to parameter i the sum over virtual nodes of `gradient(i)` and the total weight, all modulo 2^64, and counts one update.
/// Gradients are hashes: a virtual node left out, counted twice, given other samples or another step changes nearly every parameter.

#include <cstdint>
#include <span>
#include <vector>

#include "executor/engines/engine.h"

namespace medley::executor {

/// sums[i] += gradient(i) of one virtual node, modulo 2^64. Cost: O(elements + samples), about a nanosecond each.
void add_emulated_gradient(std::uint64_t seed, const NodeWork& work, std::span<std::int64_t> sums);

/// Falls with the step and differs by virtual node; summed over a node's samples.
double emulated_loss_sum(const NodeWork& work);

/// What inference gives for a sample, in [0, 1).
double emulated_output(std::uint64_t seed, std::int64_t sample);

/// The whole state of the engine.
struct EmulatedState {
    std::vector<std::int64_t> parameters;
    std::int64_t updates = 0;

    /// Views of this object, as `Engine::state` gives them.
    std::vector<StateSection> sections();
};

/// Step 0. Requires an EmulatedModel.
EmulatedState initial_emulated_state(const TrainingJob& job);
/// The state after so many steps, whatever the mapping. Cost: O(steps x (virtual nodes x parameters + samples)).
EmulatedState emulated_state_after(const TrainingJob& job, std::span<const std::int64_t> virtual_nodes, std::int64_t steps);
/// The mean loss of the step after `step` finished ones, summed by virtual node in order.
double emulated_loss_at(const TrainingJob& job, std::span<const std::int64_t> virtual_nodes, std::int64_t step);

/// Samples in the job's data set. Throws medley::Error for data that are not synthetic.
std::int64_t emulated_samples(const TrainingJob& job);

}  // namespace medley::executor
