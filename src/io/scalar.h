#pragma once
/// Numbers, durations and names as people write them, the same in every file. Nothing here throws: no value means "not one".

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/units.h"

namespace medley::io {

/// No time in any input may be longer: 100 Julian years.
inline constexpr double kLongestSeconds = 3'155'760'000;

/// A finite decimal number; "nan", "inf", hexadecimal and numbers beyond double's range are none.
std::optional<double> to_number(std::string_view text);

/// A whole number; "3.0" and "1e3" are whole, and every one is exact.
std::optional<std::int64_t> to_whole(std::string_view text);

/// A number of seconds, or a number with ms, s, m, h or d; at most kLongestSeconds either way.
std::optional<Seconds> to_duration(std::string_view text);

/// The same to the nanosecond: plain decimals are read without a detour through binary fractions, so nanoseconds survive any date.
std::optional<SimTime> to_time(std::string_view text);

/// The shortest text that to_time reads back: "12", "0.5", "3.000000001".
std::string seconds_text(SimTime time);

/// The known name with the fewest edits to `name`, whatever the case (the first of equals); empty if none is near: within half its length.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known);

/// "one of a, b, c", with the nearest first where there is one: "b (known: a, b, c)". Says so where nothing is known.
std::string expected_name(std::string_view name, std::span<const std::string_view> known);

}  // namespace medley::io
