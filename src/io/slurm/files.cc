#include "io/slurm/files.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "core/error.h"

namespace medley::io::slurm {
namespace {

bool same_name(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::toupper(x) == std::toupper(y); });
}

std::string_view take_line(std::string_view& rest) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (line.ends_with('\r')) { line.remove_suffix(1); }
    return line;
}

std::vector<std::string_view> split_bars(std::string_view line) {
    std::vector<std::string_view> cells;
    while (true) {
        const std::size_t bar = line.find('|');
        cells.push_back(line.substr(0, bar));
        if (bar == std::string_view::npos) { return cells; }
        line.remove_prefix(bar + 1);
    }
}

std::vector<std::string_view> split_blanks(std::string_view line) {
    std::vector<std::string_view> cells;
    for (std::size_t at = line.find_first_not_of(" \t"); at != std::string_view::npos; at = line.find_first_not_of(" \t", at)) {
        const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
        cells.push_back(line.substr(at, end - at));
        at = end;
    }
    return cells;
}

std::vector<std::string_view> split(std::string_view line, bool bars) { return bars ? split_bars(line) : split_blanks(line); }

/// The first line that is a header for us: sinfo may print its date first.
bool is_sinfo(std::string_view text) {
    for (int line = 0; line < 3 && !text.empty(); ++line) {
        const std::string_view header = take_line(text);
        const auto columns = split(header, header.find('|') != std::string_view::npos);
        const auto named = [&](std::string_view name) {
            return std::any_of(columns.begin(), columns.end(), [&](std::string_view each) { return same_name(each, name); });
        };
        if (named("GRES") && (named("NODELIST") || named("HOSTNAMES"))) { return true; }
    }
    return false;
}

struct Kind {
    std::string_view mark;  ///< the text that only this output begins with
    std::optional<OutputFile> SiteFiles::*place;
};

constexpr std::array kKinds = {
    Kind{"NodeName=", &SiteFiles::nodes},
    Kind{"Configuration data as of", &SiteFiles::config},
    Kind{"PartitionName=", &SiteFiles::partitions},
    Kind{"ReservationName=", &SiteFiles::reservations},
    Kind{"No reservations in the system", &SiteFiles::reservations},
    Kind{"Name|", &SiteFiles::qos},
    Kind{"Cluster|", &SiteFiles::associations},
};

std::optional<OutputFile> SiteFiles::*kind_of(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    for (const Kind& kind : kKinds) {
        if (text.starts_with(kind.mark)) { return kind.place; }
    }
    return is_sinfo(text) ? &SiteFiles::sinfo : nullptr;
}

constexpr std::string_view kExpected =
    "the output of scontrol show nodes, config, partition or reservation, of sinfo with NODELIST and GRES, or of sacctmgr -P show qos or "
    "assoc";

}  // namespace

SiteFiles sort_files(std::vector<OutputFile> files) {
    SiteFiles sorted;
    for (OutputFile& file : files) {
        const auto place = kind_of(file.text);
        if (place == nullptr) { throw Error(Problem{.file = file.name, .expected = std::string(kExpected)}); }
        if (sorted.*place) {
            throw Error(Problem{.file = file.name, .message = fmt::format("holds the same kind of output as {}", (sorted.*place)->name)});
        }
        sorted.*place = std::move(file);
    }
    return sorted;
}

bool OutputTable::has(std::string_view column) const {
    return std::any_of(columns.begin(), columns.end(), [&](std::string_view each) { return same_name(each, column); });
}

std::string_view OutputTable::cell(const Row& row, std::string_view column) const {
    const auto found = std::find_if(columns.begin(), columns.end(), [&](std::string_view each) { return same_name(each, column); });
    return found != columns.end() ? row.cells[static_cast<std::size_t>(found - columns.begin())] : std::string_view();
}

void OutputTable::refuse(const Row& row, std::string_view column, std::string_view expected) const {
    refuse_value(fmt::format("line {}, column {}", row.line, column), std::string(cell(row, column)), std::string(expected));
}

OutputTable read_table(std::string_view text) {
    OutputTable table;
    bool bars = false;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::string_view line = take_line(text);
        if (split_blanks(line).empty()) { continue; }
        if (table.columns.empty()) {
            bars = line.find('|') != std::string_view::npos;
            if (!bars && split_blanks(line).size() < 2) { continue; }
            if (!bars && !is_sinfo(line)) { continue; }  // the date that `sinfo --long` prints first
            table.columns = split(line, bars);
            continue;
        }
        OutputTable::Row row{.line = number, .cells = split(line, bars)};
        if (row.cells.size() == table.columns.size() + 1 && row.cells.back().empty()) { row.cells.pop_back(); }
        if (row.cells.size() != table.columns.size()) {
            refuse_value(fmt::format("line {}", number), fmt::format("{} cells", row.cells.size()),
                         fmt::format("{}", table.columns.size()));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace medley::io::slurm
