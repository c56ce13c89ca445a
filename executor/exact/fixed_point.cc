#include "executor/exact/fixed_point.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "core/error.h"
#include "executor/exact/fixed_point_formula.h"

// One copy of each loop per vector unit, chosen when the program starts. The operations are IEEE's one by one (no contraction), so all
// copies give the same bits. Sanitizers cannot run before such a choice.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define MEDLEY_VECTOR_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define MEDLEY_VECTOR_CLONES
#endif

namespace medley::executor {
namespace {

template <class Float>
using BitsOf = std::conditional_t<sizeof(Float) == 4, std::int32_t, std::int64_t>;

template <class Float>
constexpr BitsOf<Float> kMagnitudeMask = std::numeric_limits<BitsOf<Float>>::max();
template <class Float>
constexpr BitsOf<Float> kInfinityBits = std::bit_cast<BitsOf<Float>>(std::numeric_limits<Float>::infinity());

// Magnitudes of floating-point numbers are ordered as their bits are: infinity above all finite ones, NaN above infinity.
template <class Float>
BitsOf<Float> magnitude_bits(Float value) {
    return std::bit_cast<BitsOf<Float>>(value) & kMagnitudeMask<Float>;
}

struct Scale {
    double factor = 1;
    double bound = 1;
};

Scale scale_of(std::int64_t exponent, std::size_t addends) {
    MEDLEY_ASSERT(exponent >= kLowestExponent && exponent <= kHighestExponent && addends <= (std::size_t{1} << 24));
    return {.factor = std::ldexp(1.0, scale_bits(exponent, addends)), .bound = std::ldexp(1.0, static_cast<int>(exponent))};
}

#define MEDLEY_FIXED_POINT_LOOPS(Float)                                                                                           \
    MEDLEY_VECTOR_CLONES BitsOf<Float> largest_bits(const Float* values, std::size_t count) {                                     \
        BitsOf<Float> largest = 0;                                                                                                \
        for (std::size_t index = 0; index < count; ++index) { largest = std::max(largest, magnitude_bits(values[index])); }       \
        return largest;                                                                                                           \
    }                                                                                                                             \
    MEDLEY_VECTOR_CLONES void add_fitting(const Float* values, std::size_t count, double factor, std::int64_t* sums) {            \
        for (std::size_t index = 0; index < count; ++index) {                                                                     \
            sums[index] += round_to_int64(static_cast<double>(values[index]) * factor);                                           \
        }                                                                                                                         \
    }                                                                                                                             \
    MEDLEY_VECTOR_CLONES void take_values(const std::int64_t* sums, std::size_t count, double inverse, Float* values) {           \
        for (std::size_t index = 0; index < count; ++index) { values[index] = fixed_point_value(sums[index], inverse, Float{}); } \
    }

MEDLEY_FIXED_POINT_LOOPS(float)
MEDLEY_FIXED_POINT_LOOPS(double)
#undef MEDLEY_FIXED_POINT_LOOPS

template <class Float>
BitsOf<Float> add_checked(const Float* values, std::size_t count, const Scale& scale, std::int64_t* sums, FoldStatus& status) {
    BitsOf<Float> largest = 0;
    for (std::size_t index = 0; index < count; ++index) {
        const auto magnitude = magnitude_bits(values[index]);
        status.not_finite |= magnitude >= kInfinityBits<Float>;
        if (magnitude < kInfinityBits<Float>) { largest = std::max(largest, magnitude); }
        sums[index] += fixed_point_addend(static_cast<double>(values[index]), scale.factor, scale.bound);
    }
    return largest;
}

// The e with 2^(e-1) <= |x| < 2^e.
template <class Float>
std::int64_t exponent_of(BitsOf<Float> magnitude) {
    if (magnitude == 0) { return kNoExponent; }
    int exponent = 0;
    std::frexp(std::bit_cast<Float>(magnitude), &exponent);
    return exponent;
}

// Block by block while the values lie in the nearest cache: first what is in it, then the fast loop if everything fits.
template <class Float>
FoldStatus fold_blocks(std::span<const Float> values, std::int64_t exponent, std::size_t addends, std::span<std::int64_t> sums) {
    MEDLEY_ASSERT(values.size() == sums.size());
    constexpr std::size_t kBlock = 1024;
    const Scale scale = scale_of(exponent, addends);
    FoldStatus status;
    BitsOf<Float> largest = 0;
    for (std::size_t start = 0; start < values.size(); start += kBlock) {
        const std::size_t count = std::min(kBlock, values.size() - start);
        const Float* block = values.data() + start;
        std::int64_t* out = sums.data() + start;
        const BitsOf<Float> met = largest_bits(block, count);
        const bool fits = met < kInfinityBits<Float> && static_cast<double>(std::bit_cast<Float>(met)) < scale.bound;
        if (fits) { add_fitting(block, count, scale.factor, out); }
        largest = std::max(largest, fits ? met : add_checked(block, count, scale, out, status));
    }
    status.largest_exponent = exponent_of<Float>(largest);
    status.overflow = status.largest_exponent > exponent;
    return status;
}

template <class Float>
void unfold_all(std::span<const std::int64_t> sums, std::int64_t exponent, std::size_t addends, std::span<Float> values) {
    MEDLEY_ASSERT(values.size() == sums.size());
    scale_of(exponent, addends);
    take_values(sums.data(), sums.size(), std::ldexp(1.0, -scale_bits(exponent, addends)), values.data());
}

}  // namespace

FoldStatus fold(std::span<const float> values, std::int64_t exponent, std::size_t addends, std::span<std::int64_t> sums) {
    return fold_blocks(values, exponent, addends, sums);
}

FoldStatus fold(std::span<const double> values, std::int64_t exponent, std::size_t addends, std::span<std::int64_t> sums) {
    return fold_blocks(values, exponent, addends, sums);
}

void unfold(std::span<const std::int64_t> sums, std::int64_t exponent, std::size_t addends, std::span<float> values) {
    unfold_all(sums, exponent, addends, values);
}

void unfold(std::span<const std::int64_t> sums, std::int64_t exponent, std::size_t addends, std::span<double> values) {
    unfold_all(sums, exponent, addends, values);
}

}  // namespace medley::executor
