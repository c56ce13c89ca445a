#pragma once
/// What is summed over the virtual nodes of a step: gradients of the summed loss, then weighted changes of the statistics, in one buffer.
///
/// Plainly the backward passes add into the buffer itself. With fixed point each virtual node's part is computed by itself and then folded
/// into 64-bit sums, at 12 bytes an element instead of 4.

#include <cstdint>
#include <span>
#include <vector>

#include "executor/engines/engine.h"
#include "executor/engines/torch/flat_tensors.h"
#include "executor/engines/torch/host_copy.h"

namespace medley::executor {

struct ReductionSetup {
    std::vector<Stretch> gradients;
    std::vector<Stretch> statistics;  ///< offsets from the end of the gradients
    at::TensorOptions options;
    bool exact = false;
    std::size_t addends = 1;        ///< virtual nodes of the job
    bool device_reduction = false;  ///< the buffer may stay in device memory
};

class Reduction {
 public:
    explicit Reduction(const ReductionSetup& setup);

    const std::vector<ReducedTensor>& tensors() const { return tensors_; }
    /// What backward passes add to.
    at::Tensor gradients() const { return values_.narrow(0, 0, gradient_elements_); }

    void begin(std::span<const std::int64_t> exponents);
    void begin_node();
    void add_node(const at::Tensor& statistic_changes);

    Buffer buffer();
    Buffer marks();
    const FixedPointStatus& status() const { return status_; }

    struct Sums {
        at::Tensor gradients;
        at::Tensor statistics;
    };
    /// The sums as they stand in the buffers handed out.
    Sums take();

 private:
    at::Tensor changes() const { return values_.narrow(0, gradient_elements_, values_.numel() - gradient_elements_); }
    void fold_values();
    Buffer buffer_of(const at::Tensor& tensor, HostCopy& copy) const;
    void require_marks();

    bool exact_;
    bool device_reduction_;
    std::size_t addends_;
    std::int64_t gradient_elements_ = 0;
    std::vector<ReducedTensor> tensors_;
    at::Tensor values_;  ///< sums, or with fixed point one virtual node's addends
    at::Tensor sums_;    ///< fixed point
    at::Tensor marks_;
    bool marks_handed_out_ = false;
    HostCopy sums_copy_;
    HostCopy marks_copy_;
    std::vector<std::int64_t> exponents_;
    FixedPointStatus status_;
};

}  // namespace medley::executor
