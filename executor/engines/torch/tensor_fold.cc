#include "executor/engines/torch/tensor_fold.h"

#include <cmath>
#include <limits>
#include <span>

#include <ATen/TensorOperators.h>
#include <ATen/ops/bitwise_and.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/isneginf.h>
#include <ATen/ops/isposinf.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>

namespace medley::executor {
namespace {

constexpr int kMarkBits = 21;
constexpr std::int64_t kMarkMask = (std::int64_t{1} << kMarkBits) - 1;

template <class T>
std::span<T> elements_of(const at::Tensor& tensor) {
    return {tensor.data_ptr<T>(), static_cast<std::size_t>(tensor.numel())};
}

// Multiplies by 2^bits in two steps, since the power alone may lie outside the range of double where the product does not.
at::Tensor times_power_of_two(const at::Tensor& values, int bits) {
    const int half = bits / 2;
    return (values * std::ldexp(1.0, half)).mul_(std::ldexp(1.0, bits - half));
}

std::int64_t exponent_above(double magnitude) {
    if (magnitude == 0) { return kNoExponent; }
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    return exponent;
}

at::Tensor count_of(const at::Tensor& marks, int place) { return marks.bitwise_right_shift(place * kMarkBits).bitwise_and_(kMarkMask); }

}  // namespace

FoldStatus fold_tensor(const at::Tensor& values, const FixedPointScale& scale, const at::Tensor& sums) {
    if (!values.is_cpu()) { return fold_by_operations(values, scale, sums); }
    const std::span<std::int64_t> totals = elements_of<std::int64_t>(sums);
    if (values.scalar_type() == at::kDouble) { return fold(elements_of<double>(values), scale.exponent, scale.addends, totals); }
    return fold(elements_of<float>(values), scale.exponent, scale.addends, totals);
}

void unfold_tensor(const at::Tensor& sums, const FixedPointScale& scale, const at::Tensor& values) {
    if (!values.is_cpu()) { return unfold_by_operations(sums, scale, values); }
    const std::span<const std::int64_t> totals = elements_of<std::int64_t>(sums);
    if (values.scalar_type() == at::kDouble) { return unfold(totals, scale.exponent, scale.addends, elements_of<double>(values)); }
    unfold(totals, scale.exponent, scale.addends, elements_of<float>(values));
}

FoldStatus fold_by_operations(const at::Tensor& values, const FixedPointScale& scale, const at::Tensor& sums) {
    const at::Tensor exact = values.to(at::kDouble);
    const at::Tensor finite = at::isfinite(exact);
    const at::Tensor magnitude = at::where(finite, exact, 0.0).abs_();
    const at::Tensor fits = finite & (magnitude < std::ldexp(1.0, static_cast<int>(scale.exponent)));
    const at::Tensor scaled = times_power_of_two(exact, scale_bits(scale.exponent, scale.addends));
    sums.add_(at::where(fits, scaled, 0.0).round_().to(at::kLong));
    // One transfer for all three answers.
    const at::Tensor answers = at::stack({magnitude.max(), (finite & ~fits).any().to(at::kDouble), (~finite).any().to(at::kDouble)}).cpu();
    const double* const answer = answers.data_ptr<double>();
    return {.largest_exponent = exponent_above(answer[0]), .overflow = answer[1] != 0, .not_finite = answer[2] != 0};
}

void unfold_by_operations(const at::Tensor& sums, const FixedPointScale& scale, const at::Tensor& values) {
    // A float is rounded once only if double holds the sum: what lies below its 53 bits becomes one sticky bit first.
    const at::Tensor sticky = at::bitwise_and(sums, 1023).ne(0).to(at::kLong).mul_(512).add_(at::bitwise_and(sums, ~std::int64_t{1023}));
    const at::Tensor held = sums.abs() <= (std::int64_t{1} << 53);
    const at::Tensor whole = values.scalar_type() == at::kDouble ? sums : at::where(held, sums, sticky);
    values.copy_(times_power_of_two(whole.to(at::kDouble), -scale_bits(scale.exponent, scale.addends)));
}

void add_marks(const at::Tensor& values, const at::Tensor& marks) {
    marks.add_(at::isposinf(values).to(at::kLong));
    marks.add_(at::isneginf(values).to(at::kLong), std::int64_t{1} << kMarkBits);
    marks.add_(at::isnan(values).to(at::kLong), std::int64_t{1} << (2 * kMarkBits));
}

void apply_marks(const at::Tensor& marks, const at::Tensor& values) {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    const at::Tensor above = count_of(marks, 0).ne(0);
    const at::Tensor below = count_of(marks, 1).ne(0);
    const at::Tensor undefined = count_of(marks, 2).ne(0).logical_or_(above & below);
    values.masked_fill_(above, kInfinite);
    values.masked_fill_(below, -kInfinite);
    values.masked_fill_(undefined, std::numeric_limits<double>::quiet_NaN());
}

}  // namespace medley::executor
