#include "cli/table.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"

namespace medley::cli {
namespace {

constexpr const char* kUnknown = "-";

std::size_t width_of(const std::string& text) {
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; };
    return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues));
}

void append_cell(std::string& line, const std::string& cell, std::size_t width, Align align) {
    const std::string padding(width - width_of(cell), ' ');
    line += align == Align::kLeft ? cell + padding : padding + cell;
}

void end_line(std::string& text, std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
}

struct Multiple {
    double size;
    const char* unit;
};

/// The largest multiple that is not above `value`; the smallest if all are.
const Multiple& multiple_for(double value, const auto& multiples) {
    const auto fits = [&](const Multiple& multiple) { return std::abs(value) >= multiple.size; };
    const auto found = std::find_if(multiples.begin(), multiples.end(), fits);
    return found == multiples.end() ? multiples.back() : *found;
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::add_row(std::vector<std::string> cells) {
    MEDLEY_ASSERT(cells.size() == columns_.size());
    rows_.push_back(std::move(cells));
}

std::string Table::text() const {
    std::vector<std::size_t> widths;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
        std::size_t width = width_of(columns_[column].title);
        for (const auto& row : rows_) { width = std::max(width, width_of(row[column])); }
        widths.push_back(width);
    }
    std::string text;
    const auto add_line = [&](const auto& cell_of) {
        std::string line;
        for (std::size_t column = 0; column < columns_.size(); ++column) {
            if (column > 0) { line += "  "; }
            append_cell(line, cell_of(column), widths[column], columns_[column].align);
        }
        end_line(text, std::move(line));
    };
    add_line([&](std::size_t column) { return columns_[column].title; });
    add_line([&](std::size_t column) { return std::string(widths[column], '-'); });
    for (const auto& row : rows_) {
        add_line([&](std::size_t column) { return row[column]; });
    }
    return text;
}

void KeyValues::add(std::string key, std::string value) { rows_.emplace_back(std::move(key), std::move(value)); }

std::string KeyValues::text() const {
    std::size_t width = 0;
    for (const auto& [key, value] : rows_) { width = std::max(width, width_of(key)); }
    std::string text;
    for (const auto& [key, value] : rows_) {
        std::string line;
        append_cell(line, key, width + 2, Align::kLeft);
        end_line(text, line + value);
    }
    return text;
}

std::string show_number(double value) {
    if (!std::isfinite(value)) { return kUnknown; }
    if (std::abs(value) >= 1000) { return fmt::format("{:.0f}", value); }
    return fmt::format("{:.4g}", value);
}

std::string show_number(const std::optional<double>& value) { return value ? show_number(*value) : kUnknown; }

std::string show_percent(double fraction) { return std::isfinite(fraction) ? fmt::format("{:.1f} %", 100 * fraction) : kUnknown; }

std::string show_duration(Seconds duration) {
    static constexpr std::array<Multiple, 3> kLarger{{{86400, "d"}, {3600, "h"}, {60, "min"}}};
    std::string seconds = fmt::format("{} s", show_number(duration.value));
    if (!(std::abs(duration.value) >= 600)) { return seconds; }
    const Multiple& larger = multiple_for(duration.value, kLarger);
    return fmt::format("{} ({:.3g} {})", seconds, duration.value / larger.size, larger.unit);
}

std::string show_duration(const std::optional<Seconds>& duration) { return duration ? show_duration(*duration) : kUnknown; }

std::string count_of(std::uint64_t count, std::string_view noun) { return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s"); }

std::string show_bytes(Bytes bytes) {
    static constexpr std::array<Multiple, 5> kMultiples{{{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}}};
    const Multiple& multiple = multiple_for(bytes.value, kMultiples);
    return fmt::format("{:.4g} {}", bytes.value / multiple.size, multiple.unit);
}

}  // namespace medley::cli
