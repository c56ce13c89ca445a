#include "executor/engines/torch/statistics.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>

namespace medley::executor {
namespace {

std::vector<NamedTensor> those(const std::vector<NamedTensor>& buffers, bool floating) {
    std::vector<NamedTensor> chosen;
    for (const NamedTensor& buffer : buffers) {
        if (buffer.tensor.is_floating_point() == floating) { chosen.push_back(buffer); }
    }
    return chosen;
}

}  // namespace

Statistics::Statistics(const std::vector<NamedTensor>& buffers, const at::TensorOptions& options)
    : values_(those(buffers, true), options), counters_(those(buffers, false), options.dtype(at::kLong)), stretches_(values_.stretches()) {
    for (Stretch stretch : counters_.stretches()) {
        stretch.offset += values_.elements();
        stretches_.push_back(stretch);
    }
}

void Statistics::begin_step() {
    if (empty()) { return; }
    first_values_ = values_.flat().clone();
    first_counters_ = counters_.flat().clone();
}

at::Tensor Statistics::take_changes(std::int64_t weight) {
    if (empty()) { return {}; }
    const at::NoGradGuard no_gradient;
    const at::Tensor counted = (counters_.flat() - first_counters_).to(first_values_.scalar_type());
    const at::Tensor changes = at::cat({values_.flat() - first_values_, counted}).mul_(weight);
    values_.flat().copy_(first_values_);
    counters_.flat().copy_(first_counters_);
    return changes;
}

void Statistics::apply(const at::Tensor& weighted_changes, double total_weight) {
    if (empty()) { return; }
    const at::NoGradGuard no_gradient;
    const at::Tensor changes = weighted_changes.div(total_weight);
    values_.flat().add_(changes.narrow(0, 0, values_.elements()));
    counters_.flat().add_(changes.narrow(0, values_.elements(), counters_.elements()).round().to(at::kLong));
}

void Statistics::assign(const std::vector<NamedTensor>& buffers) {
    values_.assign(those(buffers, true));
    counters_.assign(those(buffers, false));
}

std::vector<NamedTensor> Statistics::state() const {
    std::vector<NamedTensor> state;
    if (!values_.empty()) { state.push_back({"statistics", values_.flat()}); }
    if (!counters_.empty()) { state.push_back({"counters", counters_.flat()}); }
    return state;
}

}  // namespace medley::executor
