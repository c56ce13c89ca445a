#pragma once
/// This machine's devices as a cluster of one node.

#include <span>

#include "core/cluster.h"
#include "executor/engines/engine.h"

namespace medley::cli {

/// The catalogue's type of a device by its driver's name ("NVIDIA A100-SXM4-80GB") and memory: the words of the type's name occur in the
/// device's, and the memory is within 10 %; the longest such name. A device that none fits is a type of its own, named as the driver does.
/// Without GPUs, the processor is one device of the type `cpu`.
Cluster cluster_of_devices(const executor::DevicesFound& found, std::span<const GpuType> catalogue);

}  // namespace medley::cli
