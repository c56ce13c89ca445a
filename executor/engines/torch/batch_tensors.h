#pragma once
/// A virtual node's samples as tensors, and its loss.

#include <cstdint>

#include "executor/data/dataset.h"
#include "executor/engines/torch/model.h"

namespace medley::executor {

/// Inputs in the model's precision, or token numbers. On a processor they may lie in the batch's own memory, which must outlive them.
at::Tensor input_tensor(const Batch& batch, const at::TensorOptions& options);
/// Labels, or real numbers in the model's precision.
at::Tensor target_tensor(const Batch& batch, const at::TensorOptions& options);

/// What the loss is divided by, summed over virtual nodes: samples, or labels that count where a sample has many.
std::int64_t weight_of(const Batch& batch);

/// The summed loss. Cross-entropy: outputs [.., classes] against a label each, -100 not counting. Mean squared error: the squared
/// differences of a sample averaged over its outputs. Throws medley::Error if outputs and targets do not fit.
at::Tensor summed_loss(LossKind kind, const at::Tensor& outputs, const at::Tensor& targets);

}  // namespace medley::executor
