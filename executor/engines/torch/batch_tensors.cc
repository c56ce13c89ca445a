#include "executor/engines/torch/batch_tensors.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ATen/core/Reduction.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/mse_loss.h>

#include "core/error.h"

namespace medley::executor {
namespace {

// Torch takes memory to be writable; nothing here writes.
template <class T>
at::Tensor view_of(const std::vector<T>& values, const std::vector<std::int64_t>& shape, at::ScalarType type) {
    return at::from_blob(const_cast<T*>(values.data()), shape, at::TensorOptions().dtype(type));
}

std::vector<std::int64_t> shape_of(const Batch& batch, std::size_t elements, const std::vector<std::int64_t>& sample_shape) {
    std::vector<std::int64_t> shape = {batch.samples};
    std::int64_t product = batch.samples;
    for (const std::int64_t extent : sample_shape) { product *= extent; }
    if (product == static_cast<std::int64_t>(elements)) {
        shape.insert(shape.end(), sample_shape.begin(), sample_shape.end());
    } else {
        shape.push_back(static_cast<std::int64_t>(elements) / std::max<std::int64_t>(1, batch.samples));
    }
    return shape;
}

[[noreturn]] void refuse_shapes(const at::Tensor& outputs, const at::Tensor& targets, const char* loss) {
    throw Error(fmt::format("the model's outputs [{}] and the targets [{}] do not fit a {} loss", fmt::join(outputs.sizes(), ", "),
                            fmt::join(targets.sizes(), ", "), loss));
}

at::Tensor cross_entropy(const at::Tensor& outputs, const at::Tensor& labels) {
    const std::int64_t classes = outputs.size(-1);
    if (outputs.numel() != labels.numel() * classes) { refuse_shapes(outputs, labels, "cross-entropy"); }
    return at::cross_entropy_loss(outputs.reshape({-1, classes}), labels.reshape({-1}), {}, at::Reduction::Sum, kIgnoredLabel);
}

at::Tensor mean_squared_error(const at::Tensor& outputs, const at::Tensor& targets) {
    if (outputs.numel() != targets.numel()) { refuse_shapes(outputs, targets, "mean-squared-error"); }
    const double outputs_per_sample = static_cast<double>(outputs.numel()) / static_cast<double>(outputs.size(0));
    return at::mse_loss(outputs, targets.reshape(outputs.sizes()), at::Reduction::Sum).div(outputs_per_sample);
}

}  // namespace

at::Tensor input_tensor(const Batch& batch, const at::TensorOptions& options) {
    if (!batch.tokens.empty()) {
        return view_of(batch.tokens, shape_of(batch, batch.tokens.size(), batch.input_shape), at::kLong).to(options.device());
    }
    return view_of(batch.values, shape_of(batch, batch.values.size(), batch.input_shape), at::kDouble).to(options);
}

at::Tensor target_tensor(const Batch& batch, const at::TensorOptions& options) {
    if (!batch.labels.empty()) {
        return view_of(batch.labels, {static_cast<std::int64_t>(batch.labels.size())}, at::kLong).to(options.device());
    }
    return view_of(batch.real_targets, {static_cast<std::int64_t>(batch.real_targets.size())}, at::kDouble).to(options);
}

std::int64_t weight_of(const Batch& batch) {
    if (batch.labels.empty()) { return batch.samples; }
    return static_cast<std::int64_t>(batch.labels.size()) - std::count(batch.labels.begin(), batch.labels.end(), kIgnoredLabel);
}

at::Tensor summed_loss(LossKind kind, const at::Tensor& outputs, const at::Tensor& targets) {
    return kind == LossKind::kCrossEntropy ? cross_entropy(outputs, targets) : mean_squared_error(outputs, targets);
}

}  // namespace medley::executor
