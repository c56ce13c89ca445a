#pragma once
/// exact/fixed_point.h for tensors: on a processor those very functions, on a GPU tensor operations with the same results.

#include "executor/engines/torch/model.h"
#include "executor/exact/fixed_point.h"

namespace medley::executor {

/// One scale for both directions.
struct FixedPointScale {
    std::int64_t exponent = 0;
    std::size_t addends = 1;
};

/// sums += round(values * scale); as `fold`. Requires contiguous vectors of equal length, float or double and int64, on one device.
FoldStatus fold_tensor(const at::Tensor& values, const FixedPointScale& scale, const at::Tensor& sums);
/// values = sums / scale; as `unfold`.
void unfold_tensor(const at::Tensor& sums, const FixedPointScale& scale, const at::Tensor& values);

/// The same by tensor operations alone, whatever the device.
FoldStatus fold_by_operations(const at::Tensor& values, const FixedPointScale& scale, const at::Tensor& sums);
void unfold_by_operations(const at::Tensor& sums, const FixedPointScale& scale, const at::Tensor& values);

/// Adds per element one to its count of +inf (bits 0-20), -inf (21-41) or NaN (42-62).
void add_marks(const at::Tensor& values, const at::Tensor& marks);
/// What the sums must be where something was not finite.
void apply_marks(const at::Tensor& marks, const at::Tensor& values);

}  // namespace medley::executor
