#pragma once
/// Devices as Torch knows them.

#include <string>

#include <c10/core/Device.h>

#include "core/training.h"
#include "executor/engines/engine.h"

namespace medley::executor {

/// "cpu" or "cuda:N". Throws medley::Error if there is no such device, with the reason.
c10::Device require_device(const std::string& name);
/// "NVIDIA A100-SXM4-40GB"; "cpu".
std::string name_of(const c10::Device& device);
/// Appends the GPUs, or says in the note why there are none.
void add_gpus(DevicesFound& found);

/// One thread per worker, deterministic kernels, no silent loss of precision. For the whole process; repeatable.
void configure_torch();

}  // namespace medley::executor
