#include "io/importers/record_fields.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "io/scalar.h"

namespace medley::io {
namespace {

std::string_view present_cell(const CsvTable& table, MaybeColumn column) {
    if (!column) { return {}; }
    const std::string_view cell = table.cell(*column);
    return is_missing(cell) ? std::string_view() : cell;
}

}  // namespace

bool is_missing(std::string_view cell) {
    constexpr std::array<std::string_view, 9> kSpellings = {"None", "none", "null", "NULL", "NaN", "nan", "NA", "N/A", "Unknown"};
    if (cell.empty()) { return true; }
    const bool may_be = cell.front() == 'N' || cell.front() == 'n' || cell.front() == 'U';
    return may_be && std::find(kSpellings.begin(), kSpellings.end(), cell) != kSpellings.end();
}

std::optional<std::int64_t> read_count(const CsvTable& table, MaybeColumn column, std::int64_t most) {
    const std::string_view cell = present_cell(table, column);
    if (cell.empty()) { return std::nullopt; }
    const auto value = to_whole(cell);
    if (!value || *value < 0 || *value > most) { table.refuse(*column, fmt::format("a whole number from 0 to {}", most)); }
    return value;
}

std::optional<double> read_amount(const CsvTable& table, MaybeColumn column) {
    const std::string_view cell = present_cell(table, column);
    if (cell.empty()) { return std::nullopt; }
    const auto value = to_number(cell);
    if (!value || *value < 0) { table.refuse(*column, "a number of at least 0"); }
    return value;
}

std::optional<SimTime> read_moment(const CsvTable& table, MaybeColumn column) {
    const std::string_view cell = present_cell(table, column);
    if (cell.empty()) { return std::nullopt; }
    const auto value = to_time(cell);
    if (!value || value->value < 0) { table.refuse(*column, "a number of seconds of at least 0"); }
    return value;
}

std::optional<Seconds> read_seconds(const CsvTable& table, MaybeColumn column) {
    const std::string_view cell = present_cell(table, column);
    if (cell.empty()) { return std::nullopt; }
    const auto value = to_duration(cell);
    if (!value || value->value < 0) { table.refuse(*column, "a number of seconds of at least 0"); }
    return value;
}

std::optional<SimTime> read_date(const CsvTable& table, MaybeColumn column, const ZoneRule& zone) {
    const std::string_view cell = present_cell(table, column);
    if (cell.empty()) { return std::nullopt; }
    const auto time = parse_civil_time(cell);
    if (!time) { table.refuse(*column, "a time such as 2020-03-18 04:01:39"); }
    return zone.to_utc(*time);
}

std::vector<Name> read_types(const CsvTable& table, MaybeColumn column) {
    std::vector<Name> types;
    std::string_view text = present_cell(table, column);
    while (!text.empty()) {
        const std::size_t bar = std::min(text.find('|'), text.size());
        if (bar > 0) { types.emplace_back(text.substr(0, bar)); }
        text.remove_prefix(std::min(bar + 1, text.size()));
    }
    return types;
}

Name read_label(const CsvTable& table, MaybeColumn column) { return Name(present_cell(table, column)); }

}  // namespace medley::io
