#include "executor/engines/torch/host_copy.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>

namespace medley::executor {
namespace {

std::span<std::byte> bytes_of(const at::Tensor& tensor) { return {static_cast<std::byte*>(tensor.data_ptr()), tensor.nbytes()}; }

}  // namespace

std::span<std::byte> HostCopy::fetch() {
    if (tensor_.is_cpu()) { return bytes_of(tensor_); }
    if (!host_.defined()) { host_ = at::empty(tensor_.sizes(), tensor_.options().device(at::kCPU).pinned_memory(true)); }
    host_.copy_(tensor_);
    fetched_ = true;
    return bytes_of(host_);
}

void HostCopy::store() {
    const at::NoGradGuard no_gradient;
    if (fetched_) { tensor_.copy_(host_); }
    fetched_ = false;
}

}  // namespace medley::executor
