#pragma once
/// Quantities with a unit in their type, so that seconds, bytes and samples cannot be mixed by accident.
///
/// Each is a thin wrapper over one number (`value`); arithmetic keeps the unit, a ratio of two equal units is a plain number.
/// Thread rule: values, freely copied. No function here throws.

#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>

namespace medley {

template <class Tag, class Rep>
struct Quantity {
    Rep value{};

    constexpr Quantity() = default;
    constexpr explicit Quantity(Rep number) : value(number) {}
    constexpr auto operator<=>(const Quantity&) const = default;
    constexpr Quantity& operator+=(Quantity other) {
        value += other.value;
        return *this;
    }
    constexpr Quantity& operator-=(Quantity other) {
        value -= other.value;
        return *this;
    }
    friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity{static_cast<Rep>(a.value + b.value)}; }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity{static_cast<Rep>(a.value - b.value)}; }
    friend constexpr Quantity operator-(Quantity a) { return Quantity{static_cast<Rep>(-a.value)}; }
    friend constexpr Quantity operator*(Quantity a, Rep factor) { return Quantity{static_cast<Rep>(a.value * factor)}; }
    friend constexpr Quantity operator*(Rep factor, Quantity a) { return a * factor; }
    friend constexpr Quantity operator/(Quantity a, Rep divisor) { return Quantity{static_cast<Rep>(a.value / divisor)}; }
    friend constexpr Rep operator/(Quantity a, Quantity b) { return a.value / b.value; }
};

/// Model time: durations that are predicted, measured or declared.
using Seconds = Quantity<struct SecondsTag, double>;
/// Sizes in memory or on the wire. A double, because profiles state 8.7e9; exact up to 2^53.
using Bytes = Quantity<struct BytesTag, double>;
using BytesPerSecond = Quantity<struct BytesPerSecondTag, double>;
/// Training examples (images, sentences, tokens: whatever the profile's `sample` says).
using Samples = Quantity<struct SamplesTag, std::int64_t>;
/// Points and spans of scheduling time in integer nanoseconds since the start of the trace; exact and totally ordered.
using SimTime = Quantity<struct SimTimeTag, std::int64_t>;

inline constexpr double kBytesPerGib = 1073741824.0;
inline constexpr double kNanosecondsPerSecond = 1e9;
/// Later than any event: 292 years.
inline constexpr SimTime kNever{std::numeric_limits<std::int64_t>::max()};

constexpr Seconds to_seconds(SimTime time) { return Seconds{static_cast<double>(time.value) / kNanosecondsPerSecond}; }

/// Nearest nanosecond; anything that does not fit becomes `kNever`. Requires a number that is not NaN.
inline SimTime to_sim_time(Seconds seconds) {
    const double nanoseconds = seconds.value * kNanosecondsPerSecond;
    if (nanoseconds >= 9.2e18) { return kNever; }
    return SimTime{std::llround(nanoseconds)};
}

/// The first nanosecond by which `seconds` have passed, so that no work is finished early.
inline SimTime to_sim_time_up(Seconds seconds) {
    const double nanoseconds = std::ceil(seconds.value * kNanosecondsPerSecond);
    if (nanoseconds >= 9.2e18) { return kNever; }
    return SimTime{static_cast<std::int64_t>(nanoseconds)};
}

}  // namespace medley
