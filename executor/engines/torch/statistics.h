#pragma once
/// What a forward pass changes besides gradients: running means and variances, and counters.
///
/// Every virtual node starts from the values at the step's beginning; its change counts with its weight, and the step's change is the
/// weighted mean. Counters (whole numbers) move by the rounded weighted mean.

#include <vector>

#include "executor/engines/torch/flat_tensors.h"

namespace medley::executor {

class Statistics {
 public:
    Statistics(const std::vector<NamedTensor>& buffers, const at::TensorOptions& options);

    /// Of the changes; one after another.
    const std::vector<Stretch>& stretches() const { return stretches_; }
    bool empty() const { return stretches_.empty(); }

    /// Keeps the values to start from.
    void begin_step();
    /// The weighted changes of one virtual node, whose traces are removed; undefined if there is nothing that could change.
    at::Tensor take_changes(std::int64_t weight);
    /// The values after the step.
    void apply(const at::Tensor& weighted_changes, double total_weight);
    void assign(const std::vector<NamedTensor>& buffers);

    /// The flat tensors, for the state; empty ones are left out.
    std::vector<NamedTensor> state() const;

 private:
    FlatTensors values_;
    FlatTensors counters_;
    std::vector<Stretch> stretches_;
    at::Tensor first_values_;
    at::Tensor first_counters_;
};

}  // namespace medley::executor
