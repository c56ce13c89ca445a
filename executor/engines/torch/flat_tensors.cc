#include "executor/engines/torch/flat_tensors.h"

#include <utility>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>

#include "core/error.h"

namespace medley::executor {
namespace {

constexpr std::int64_t kAlignmentBytes = 64;

std::int64_t rounded_up(std::int64_t elements, std::int64_t multiple) { return (elements + multiple - 1) / multiple * multiple; }

}  // namespace

FlatTensors::FlatTensors(std::vector<NamedTensor> tensors, const at::TensorOptions& options) : tensors_(std::move(tensors)) {
    const at::NoGradGuard no_gradient;
    const std::int64_t multiple = kAlignmentBytes / static_cast<std::int64_t>(options.dtype().itemsize());
    for (const NamedTensor& tensor : tensors_) {
        stretches_.push_back({.name = tensor.name, .offset = elements_, .elements = rounded_up(tensor.tensor.numel(), multiple)});
        elements_ += stretches_.back().elements;
    }
    flat_ = at::zeros({elements_}, options);
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
        const at::Tensor place = view(flat_, i);
        place.copy_(tensors_[i].tensor);
        tensors_[i].tensor.set_data(place);
    }
}

at::Tensor FlatTensors::view(const at::Tensor& flat, std::size_t index) const {
    const at::Tensor& tensor = tensors_[index].tensor;
    return flat.narrow(0, stretches_[index].offset, tensor.numel()).view(tensor.sizes());
}

void FlatTensors::attach_gradients(const at::Tensor& flat) {
    MEDLEY_ASSERT(flat.numel() == elements_);
    for (std::size_t i = 0; i < tensors_.size(); ++i) { tensors_[i].tensor.mutable_grad() = view(flat, i); }
}

void FlatTensors::assign(const std::vector<NamedTensor>& values) {
    const at::NoGradGuard no_gradient;
    MEDLEY_ASSERT(values.size() == tensors_.size());
    for (std::size_t i = 0; i < tensors_.size(); ++i) { tensors_[i].tensor.copy_(values[i].tensor); }
}

}  // namespace medley::executor
