#pragma once
/// How many bytes of tensors are alive: on a processor by an allocator of ours under Torch, on a GPU by Torch's own figures.

#include <cstdint>

#include <c10/core/Device.h>

namespace medley::executor {

/// From now on tensors in host memory are counted, for the whole process. Repeatable.
void count_host_tensors();

/// Most bytes alive at once since the last call for this kind of device; counting starts anew from what is alive now.
std::int64_t take_peak_tensor_bytes(const c10::Device& device);
/// Bytes of counted host tensors alive now.
std::int64_t live_host_tensor_bytes();

}  // namespace medley::executor
