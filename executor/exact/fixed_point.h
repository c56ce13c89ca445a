#pragma once
/// Summation whose result does not depend on the order: floating-point addends become 64-bit fixed-point numbers under a scale that is
/// the same everywhere, and whole numbers add associatively.
///
/// The scale of a tensor is 2^(61 - guard - exponent), where `exponent` bounds the magnitude (|x| < 2^exponent) and `guard` leaves room for
/// the number of addends. It comes from the last step's largest magnitude with a margin; an addend beyond it is an overflow, never
/// wrapped in silence: the step is redone with the scale it needs (scale_book.h). An addend is rounded once (to nearest even) at
/// 2^-(61-guard-margin) of the largest magnitude: 24 bits of a float survive exactly over 2^30 and more of range.
///
/// Denormal numbers count as what they are, provided the thread has not switched them off (FTZ, DAZ).

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "executor/exact/scale_book.h"

namespace medley::executor {

/// No finite addend but zero.
inline constexpr std::int64_t kNoExponent = std::numeric_limits<std::int32_t>::min();

/// Bits that the sum of this many addends needs beyond one addend's.
constexpr int guard_bits(std::size_t addends) { return static_cast<int>(std::bit_width(addends > 0 ? addends - 1 : 0)); }

/// The power of two that addends below 2^exponent are multiplied by.
constexpr int scale_bits(std::int64_t exponent, std::size_t addends) { return 61 - guard_bits(addends) - static_cast<int>(exponent); }

struct FoldStatus {
    std::int64_t largest_exponent = kNoExponent;  ///< e with |x| < 2^e for every finite x, overflowing ones too; the least such e
    bool overflow = false;
    bool not_finite = false;
};

/// sums[i] += round(values[i] * 2^scale_bits); not-finite values and those at or beyond 2^exponent add nothing and are reported.
/// `addends` is how many times, over all workers, a sum is added to. Cost: one pass, vectorised. Requires equal lengths and
/// kLowestExponent <= exponent <= kHighestExponent, addends <= 2^24.
FoldStatus fold(std::span<const float> values, std::int64_t exponent, std::size_t addends, std::span<std::int64_t> sums);
FoldStatus fold(std::span<const double> values, std::int64_t exponent, std::size_t addends, std::span<std::int64_t> sums);

/// values[i] = sums[i] * 2^-scale_bits, rounded once (to nearest even; infinite if beyond the type's range). Requires as `fold`.
void unfold(std::span<const std::int64_t> sums, std::int64_t exponent, std::size_t addends, std::span<float> values);
void unfold(std::span<const std::int64_t> sums, std::int64_t exponent, std::size_t addends, std::span<double> values);

}  // namespace medley::executor
