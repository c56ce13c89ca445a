#pragma once
/// Numbers as text, appended to a buffer at the speed that millions of records need.

#include <cstdint>
#include <string>

#include "core/units.h"

namespace medley::io {

void append_whole(std::string& out, std::int64_t number);
/// The shortest text that reads back as the same double. Requires a finite number.
void append_number(std::string& out, double number);
/// Seconds, exact to the nanosecond, without trailing zeros: "12", "0.5", "3.000000001". Requires a time of at least 0.
void append_seconds(std::string& out, SimTime time);

}  // namespace medley::io
