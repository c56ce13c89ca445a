#include "executor/exact/exact_sum.h"

#include <bit>
#include <cmath>
#include <limits>

namespace medley::executor {
namespace {

constexpr std::size_t kDigits = 67;  // 2144 bits: from 2^-1074 to beyond 2^1024 * 2^30
constexpr int kDigitBits = 32;
constexpr int kLowestBit = -1074;
enum Special : std::size_t { kPositiveInfinity = kDigits, kNegativeInfinity, kNan };

using Digits = std::array<std::uint32_t, kDigits>;

struct Magnitude {
    Digits digits{};
    bool negative = false;
};

// Digits of the two's complement number, and what remains above them: 0 or -1.
std::int64_t carried(std::span<const std::int64_t> words, bool negate, Digits& digits) {
    std::int64_t carry = 0;
    for (std::size_t index = 0; index < kDigits; ++index) {
        const std::int64_t sum = (negate ? -words[index] : words[index]) + carry;
        digits[index] = static_cast<std::uint32_t>(sum);
        carry = sum >> kDigitBits;
    }
    return carry;
}

Magnitude magnitude_of(std::span<const std::int64_t> words) {
    Magnitude magnitude;
    magnitude.negative = carried(words, false, magnitude.digits) < 0;
    if (magnitude.negative) { carried(words, true, magnitude.digits); }
    return magnitude;
}

int highest_bit(const Digits& digits) {
    for (std::size_t index = kDigits; index > 0; --index) {
        if (digits[index - 1] != 0) { return static_cast<int>(index - 1) * kDigitBits + std::bit_width(digits[index - 1]) - 1; }
    }
    return -1;
}

bool bit_at(const Digits& digits, int position) {
    return position >= 0 && (digits[static_cast<std::size_t>(position / kDigitBits)] >> (position % kDigitBits) & 1U) != 0;
}

bool any_below(const Digits& digits, int position) {
    for (int bit = 0; bit < position; ++bit) {
        if (bit % kDigitBits == 0 && bit + kDigitBits <= position && digits[static_cast<std::size_t>(bit / kDigitBits)] == 0) {
            bit += kDigitBits - 1;  // a digit of zeros at once
            continue;
        }
        if (bit_at(digits, bit)) { return true; }
    }
    return false;
}

// Nearest double, ties to even. Numbers whose lowest kept bit is 2^-1074 need no rounding: denormals come out by themselves.
double rounded(const Digits& digits) {
    const int highest = highest_bit(digits);
    if (highest < 0) { return 0; }
    const int lowest = highest > 52 ? highest - 52 : 0;
    std::uint64_t kept = 0;
    for (int position = highest; position >= lowest; --position) { kept = kept << 1 | (bit_at(digits, position) ? 1U : 0U); }
    const bool half = bit_at(digits, lowest - 1);
    if (half && ((kept & 1U) != 0 || any_below(digits, lowest - 1))) { ++kept; }
    return std::ldexp(static_cast<double>(kept), lowest + kLowestBit);
}

}  // namespace

void ExactSum::add(double value) {
    if (std::isnan(value)) {
        ++words_[kNan];
        return;
    }
    if (std::isinf(value)) {
        ++words_[value > 0 ? kPositiveInfinity : kNegativeInfinity];
        return;
    }
    if (value == 0) { return; }
    int exponent = 0;
    const double fraction = std::frexp(std::fabs(value), &exponent);
    int position = exponent - 53 - kLowestBit;
    auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
    if (position < 0) {  // denormal: its low bits are zeros
        mantissa >>= -position;
        position = 0;
    }
    const auto first = static_cast<std::size_t>(position / kDigitBits);
    const int shift = position % kDigitBits;
    const std::uint64_t low = (mantissa & 0xffffffffU) << shift;
    const std::uint64_t high = (mantissa >> kDigitBits) << shift;
    const std::int64_t sign = value < 0 ? -1 : 1;
    words_[first] += sign * static_cast<std::int64_t>(low & 0xffffffffU);
    words_[first + 1] += sign * static_cast<std::int64_t>((low >> kDigitBits) + (high & 0xffffffffU));
    words_[first + 2] += sign * static_cast<std::int64_t>(high >> kDigitBits);
}

double ExactSum::value() const {
    const bool positive = words_[kPositiveInfinity] > 0;
    const bool negative = words_[kNegativeInfinity] > 0;
    if (words_[kNan] > 0 || (positive && negative)) { return std::numeric_limits<double>::quiet_NaN(); }
    if (positive || negative) { return positive ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity(); }
    const Magnitude magnitude = magnitude_of(std::span(words_).first<kDigits>());
    const double absolute = rounded(magnitude.digits);
    return magnitude.negative ? -absolute : absolute;
}

}  // namespace medley::executor
