#pragma once
/// A user's TorchScript file as a model.

#include "executor/engines/torch/model.h"

namespace medley::executor {

/// Its graph runs as written: the optimising executor changes its kernels after the first calls, and with them the bits. Chance in it
/// comes from the device's default generator, which all engines of a process share.
/// Throws medley::Error naming the file if it cannot be read.
Model make_script_model(const TorchScriptModel& spec, const at::TensorOptions& options);

}  // namespace medley::executor
