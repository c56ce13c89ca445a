#pragma once
/// A tensor seen from the host: its own memory on a processor, a copy in pinned memory of a GPU's.

#include <cstddef>
#include <span>

#include "executor/engines/torch/model.h"

namespace medley::executor {

class HostCopy {
 public:
    HostCopy() = default;
    /// Requires a contiguous tensor.
    explicit HostCopy(at::Tensor tensor) : tensor_(std::move(tensor)) {}

    /// The tensor's bytes as they are now; valid until the next `fetch`. Waits for the GPU.
    std::span<std::byte> fetch();
    /// What stands in the bytes becomes the tensor's, once per `fetch`.
    void store();

 private:
    at::Tensor tensor_;
    at::Tensor host_;
    bool fetched_ = false;
};

}  // namespace medley::executor
