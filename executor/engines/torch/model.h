#pragma once
/// A model as the engine sees it: named tensors and a function. What stands behind it (built-in layers, a TorchScript file) is its own
/// affair.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include "core/training.h"

namespace medley::executor {

struct NamedTensor {
    std::string name;
    at::Tensor tensor;
};

/// What layers with two behaviours, or with chance in them, look at.
struct ModelMode {
    bool training = true;
    at::Generator chance;  ///< of this model alone, so that engines in one process do not disturb one another
};

/// The tensors are handles: whoever replaces the data behind them changes the model.
struct Model {
    std::vector<NamedTensor> parameters;  ///< leaves that require a gradient
    std::vector<NamedTensor> buffers;     ///< statistics (floating point) and counters (int64), changed by a forward pass in training
    /// Inputs [samples, ...] -> outputs [samples, ...]; for token sequences logits [samples, sequence, vocabulary].
    std::function<at::Tensor(const at::Tensor& inputs)> forward;
    std::shared_ptr<ModelMode> mode;
    std::function<void(bool training)> set_training;
    std::function<void(std::uint64_t seed)> seed_chance;
};

/// The job's model with the parameters that the job's seed gives (a TorchScript file: its own). Throws medley::Error for a file that
/// cannot be read or has nothing to train, and for numbers that make no model.
Model make_model(const TrainingJob& job, const at::TensorOptions& options);

}  // namespace medley::executor
