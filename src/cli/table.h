#pragma once
/// Aligned text tables for people, and numbers with their units.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.h"

namespace medley::cli {

enum class Align { kLeft, kRight };

struct Column {
    std::string title;  ///< with the unit of its numbers: "JCT mean (s)"
    Align align = Align::kRight;
};

/// Columns as wide as their widest cell, two spaces between, a rule under the titles. Width counts UTF-8 code points.
class Table {
 public:
    explicit Table(std::vector<Column> columns);
    /// Requires one cell for each column.
    void add_row(std::vector<std::string> cells);
    std::size_t rows() const { return rows_.size(); }
    /// Ends with a line break. No trailing spaces.
    std::string text() const;

 private:
    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

/// "label  value" lines with the values in one column.
class KeyValues {
 public:
    void add(std::string key, std::string value);
    std::string text() const;

 private:
    std::vector<std::pair<std::string, std::string>> rows_;
};

/// Four significant digits, thousands not separated, never an exponent below 10^15: "0.01234", "1234", "96120".
std::string show_number(double value);
/// The number, or "-" where it is not known.
std::string show_number(const std::optional<double>& value);
std::string show_percent(double fraction);
/// Seconds, and in brackets the larger unit that suits: "11853 s (3.29 h)".
std::string show_duration(Seconds duration);
std::string show_duration(const std::optional<Seconds>& duration);
/// "1 job", "2 jobs".
std::string count_of(std::uint64_t count, std::string_view noun);
/// "8.7 GB": decimal multiples.
std::string show_bytes(Bytes bytes);

}  // namespace medley::cli
