#pragma once
/// The arithmetic of an all-reduce.

#include <cstddef>

#include "executor/collectives/collective.h"

namespace medley::executor {

/// target[i] = op(left[i], right[i]). `target` may be `left` or `right`. The order of the operands is kept, since two NaNs differ in it.
/// Requires kInt64 for kMax. int64 sums wrap.
void combine(void* target, const void* left, const void* right, std::size_t elements, ElementType type, ReduceOp op);

}  // namespace medley::executor
