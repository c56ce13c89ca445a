#pragma once
/// Cells of a CSV file, appended to a buffer; the same text for the same value, always.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/units.h"

namespace medley::io {

/// Appends cells with commas between and ends the line. Empty optionals are empty cells.
class CsvLine {
 public:
    explicit CsvLine(std::string& out) : out_(out) {}

    /// Quoted where the text holds a comma, a quote, a line break, or a blank at an end (RFC 4180).
    CsvLine& text(std::string_view value);
    CsvLine& whole(std::int64_t value);
    /// The shortest text that reads back as the same double.
    CsvLine& number(double value);
    CsvLine& number(const std::optional<double>& value);
    /// Seconds, exact to the nanosecond.
    CsvLine& time(SimTime value);
    CsvLine& time(const std::optional<SimTime>& value);
    void end() { out_ += '\n'; }

 private:
    void separate();

    std::string& out_;
    bool first_ = true;
};

}  // namespace medley::io
