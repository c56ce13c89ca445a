#pragma once
/// The arithmetic of one addend, shared by the vectorised loops of fixed_point.cc and by kernels: plain IEEE double operations, so every
/// device gives the same bits. C++17, no library calls but memcpy.

#include <cstdint>
#include <cstring>

#if defined(__CUDACC__)
#define MEDLEY_HOST_DEVICE __host__ __device__
#else
#define MEDLEY_HOST_DEVICE
#endif

namespace medley::executor {

MEDLEY_HOST_DEVICE inline std::int64_t bits_of_double(double value) {
    std::int64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

MEDLEY_HOST_DEVICE inline double double_of_bits(std::int64_t bits) {
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/// Nearest whole number, ties to even. Requires |value| < 2^62.
///
/// Adding 1.5 * 2^52 leaves the nearest whole number in the low bits of the sum (|value| < 2^51). So a number of 62 bits is cut into a
/// multiple of 2^32 and a rest of at most 2^31, both rounded that way; the multiple is even, so ties fall as for the whole. Only
/// additions, one multiplication and a fixed shift: any vector unit has them, where conversions to 64 bits are rare.
MEDLEY_HOST_DEVICE inline std::int64_t round_to_int64(double value) {
    constexpr double kWhole = 0x1.8p52;
    constexpr double kUpper = 0x1.8p84;
    const double upper = (value + kUpper) - kUpper;
    const double rest = value - upper;
    const std::int64_t whole = bits_of_double(kWhole);
    const std::uint64_t upper_bits = static_cast<std::uint64_t>(bits_of_double(upper * 0x1p-32 + kWhole) - whole);
    const std::uint64_t rest_bits = static_cast<std::uint64_t>(bits_of_double(rest + kWhole) - whole);
    return static_cast<std::int64_t>((upper_bits << 32) + rest_bits);
}

/// What an addend adds: the nearest whole number to value * scale; `scale` is a power of two. Nothing if |value| is not below `bound`
/// (which holds for NaN too).
MEDLEY_HOST_DEVICE inline std::int64_t fixed_point_addend(double value, double scale, double bound) {
    const double magnitude = value < 0 ? -value : value;
    return magnitude < bound ? round_to_int64(value * scale) : 0;
}

/// The sum as a double, rounded to nearest even.
///
/// Both halves go into the low bits of powers of two: 2^52 + low, 2^84 + 2^63 + high * 2^32.
MEDLEY_HOST_DEVICE inline double double_of_int64(std::int64_t sum) {
    const std::uint64_t bits = static_cast<std::uint64_t>(sum);
    const std::uint64_t low = (bits & 0xffffffffULL) | 0x4330000000000000ULL;
    const std::uint64_t high = ((bits ^ 0x8000000000000000ULL) >> 32) | 0x4530000000000000ULL;
    const double high_part = double_of_bits(static_cast<std::int64_t>(high)) - (0x1p84 + 0x1p63);
    return high_part + (double_of_bits(static_cast<std::int64_t>(low)) - 0x1p52);
}

MEDLEY_HOST_DEVICE inline double fixed_point_value(std::int64_t sum, double inverse_scale, double) {
    return double_of_int64(sum) * inverse_scale;
}

/// To float with one rounding though the way leads over double: what double cannot hold is folded into one sticky bit first, below
/// anything that decides a float's rounding. Requires |sum| < 2^62.
MEDLEY_HOST_DEVICE inline float fixed_point_value(std::int64_t sum, double inverse_scale, float) {
    const std::uint64_t bits = static_cast<std::uint64_t>(sum);
    const bool exact = bits + (1ULL << 53) <= (1ULL << 54);
    const std::uint64_t sticky = (bits & ~1023ULL) | ((bits & 1023ULL) != 0 ? 512ULL : 0ULL);
    return static_cast<float>(double_of_int64(static_cast<std::int64_t>(exact ? bits : sticky)) * inverse_scale);
}

}  // namespace medley::executor
