#include "io/csv_table.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "io/scalar.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

std::vector<std::string> read_header(CsvReader& reader) {
    if (!reader.next()) { refuse_value("line 1", "", "a header line that names the columns"); }
    std::vector<std::string> columns(reader.cells().begin(), reader.cells().end());
    while (columns.size() > 1 && columns.back().empty()) { columns.pop_back(); }
    std::set<std::string_view> seen;
    for (std::size_t index = 0; index < columns.size(); ++index) {
        const std::string place = fmt::format("line {}, column {}", reader.line(), index + 1);
        if (columns[index].empty()) { refuse_value(place, "", "a name for every column"); }
        if (!seen.insert(columns[index]).second) { refuse_value(place, columns[index], "each column once"); }
    }
    return columns;
}

}  // namespace

CsvTable::CsvTable(std::string_view text) : reader_(text) {
    require_utf8(text);
    columns_ = read_header(reader_);
}

CsvTable::CsvTable(ByteSource& source, CsvDialect dialect) : reader_(source, dialect), columns_(read_header(reader_)) {}

CsvTable::CsvTable(ByteSource& source, std::vector<std::string> columns, CsvDialect dialect)
    : reader_(source, dialect), columns_(std::move(columns)) {}

std::optional<std::size_t> CsvTable::find(std::string_view column) const {
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    if (found == columns_.end()) { return std::nullopt; }
    return static_cast<std::size_t>(found - columns_.begin());
}

std::size_t CsvTable::require(std::string_view column) const {
    if (const auto found = find(column)) { return *found; }
    const std::vector<std::string_view> names(columns_.begin(), columns_.end());
    const std::string_view nearest = nearest_name(column, names);
    const std::string found = nearest.empty() ? fmt::format("{}", fmt::join(names, ", ")) : std::string(nearest);
    refuse_value("line 1", found, fmt::format("a column {}", column));
}

void CsvTable::allow(std::span<const std::string_view> known) const {
    for (const std::string& name : columns_) {
        if (std::find(known.begin(), known.end(), name) == known.end()) { refuse_value("line 1", name, expected_name(name, known)); }
    }
}

bool CsvTable::next() {
    if (!reader_.next()) { return false; }
    const auto& cells = reader_.cells();
    const auto extra_is_empty = [&] {
        return std::all_of(cells.begin() + static_cast<std::ptrdiff_t>(columns_.size()), cells.end(),
                           [](auto cell) { return cell.empty(); });
    };
    if (cells.size() < columns_.size() || !extra_is_empty()) {
        refuse_value(fmt::format("line {}", line()), fmt::format("{} cells", cells.size()),
                     fmt::format("{}, as in the header", columns_.size()));
    }
    return true;
}

void CsvTable::refuse(std::size_t column, std::string_view expected) const {
    refuse_value(fmt::format("line {}, column {}", line(), columns_[column]), std::string(cell(column)), std::string(expected));
}

}  // namespace medley::io
