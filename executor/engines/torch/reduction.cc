#include "executor/engines/torch/reduction.h"

#include <algorithm>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include "core/error.h"
#include "executor/engines/torch/tensor_fold.h"

namespace medley::executor {
namespace {

std::int64_t total_of(const std::vector<Stretch>& stretches) {
    return stretches.empty() ? 0 : stretches.back().offset + stretches.back().elements;
}

ElementType element_type(const at::Tensor& tensor) {
    switch (tensor.scalar_type()) {
        case at::kLong: return ElementType::kInt64;
        case at::kDouble: return ElementType::kFloat64;
        default: return ElementType::kFloat32;
    }
}

// Visits the tensors with their stretch of the flat buffers.
template <class Visit>
void for_each_stretch(const std::vector<ReducedTensor>& tensors, const Visit& visit) {
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const auto elements = static_cast<std::int64_t>(tensors[i].elements);
        visit(i, [offset, elements](const at::Tensor& flat) { return flat.narrow(0, offset, elements); });
        offset += elements;
    }
}

}  // namespace

Reduction::Reduction(const ReductionSetup& setup)
    : exact_(setup.exact),
      device_reduction_(setup.device_reduction),
      addends_(setup.addends),
      gradient_elements_(total_of(setup.gradients)) {
    for (const Stretch& stretch : setup.gradients) {
        tensors_.push_back({.name = stretch.name, .elements = static_cast<std::size_t>(stretch.elements)});
    }
    for (const Stretch& stretch : setup.statistics) {
        tensors_.push_back({.name = stretch.name, .elements = static_cast<std::size_t>(stretch.elements), .statistic = true});
    }
    values_ = at::zeros({gradient_elements_ + total_of(setup.statistics)}, setup.options);
    if (exact_) { sums_ = at::zeros_like(values_, values_.options().dtype(at::kLong)); }
    sums_copy_ = HostCopy(exact_ ? sums_ : values_);
}

void Reduction::begin(std::span<const std::int64_t> exponents) {
    MEDLEY_ASSERT(!exact_ || exponents.size() == tensors_.size());
    const at::NoGradGuard no_gradient;
    exponents_.assign(exponents.begin(), exponents.end());
    status_ = {.largest_exponent = std::vector<std::int64_t>(tensors_.size(), kNoExponent)};
    (exact_ ? sums_ : values_).zero_();
    if (marks_.defined()) { marks_.zero_(); }
    marks_handed_out_ = false;
}

void Reduction::begin_node() {
    const at::NoGradGuard no_gradient;
    if (exact_) { values_.zero_(); }
}

void Reduction::add_node(const at::Tensor& statistic_changes) {
    const at::NoGradGuard no_gradient;
    if (statistic_changes.defined()) { changes().add_(statistic_changes); }
    if (exact_) { fold_values(); }
}

void Reduction::fold_values() {
    for_each_stretch(tensors_, [&](std::size_t i, const auto& stretch_of) {
        const FoldStatus folded = fold_tensor(stretch_of(values_), {exponents_[i], addends_}, stretch_of(sums_));
        status_.largest_exponent[i] = std::max(status_.largest_exponent[i], folded.largest_exponent);
        status_.overflow |= folded.overflow;
        if (folded.not_finite) {
            status_.not_finite = true;
            require_marks();
            add_marks(stretch_of(values_), stretch_of(marks_));
        }
    });
}

void Reduction::require_marks() {
    if (marks_.defined()) { return; }
    marks_ = at::zeros_like(values_, values_.options().dtype(at::kLong));
    marks_copy_ = HostCopy(marks_);
}

Buffer Reduction::buffer_of(const at::Tensor& tensor, HostCopy& copy) const {
    Buffer buffer{.elements = static_cast<std::size_t>(tensor.numel()), .type = element_type(tensor)};
    if (device_reduction_ && !tensor.is_cpu()) {
        // Torch works on the device's default stream, whose handle is null.
        buffer.data = tensor.data_ptr();
        buffer.memory = MemoryKind::kDevice;
    } else {
        buffer.data = copy.fetch().data();
    }
    return buffer;
}

Buffer Reduction::buffer() { return buffer_of(exact_ ? sums_ : values_, sums_copy_); }

Buffer Reduction::marks() {
    require_marks();
    marks_handed_out_ = true;
    return buffer_of(marks_, marks_copy_);
}

Reduction::Sums Reduction::take() {
    const at::NoGradGuard no_gradient;
    sums_copy_.store();
    if (exact_) {
        for_each_stretch(tensors_, [&](std::size_t i, const auto& stretch_of) {
            unfold_tensor(stretch_of(sums_), {exponents_[i], addends_}, stretch_of(values_));
        });
    }
    if (marks_handed_out_) {
        marks_copy_.store();
        apply_marks(marks_, values_);
    }
    return {.gradients = gradients(), .statistics = changes()};
}

}  // namespace medley::executor
