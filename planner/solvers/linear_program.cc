#include "planner/solvers/linear_program.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"

namespace medley::planner {
namespace {

bool bounds_are_sound(double low, double high) { return low <= high && low < kInfinity && high > -kInfinity; }

bool names_an_entry_twice(const std::vector<LpEntry>& entries) {
    std::vector<std::pair<int, int>> places;
    places.reserve(entries.size());
    for (const LpEntry& entry : entries) { places.emplace_back(entry.row, entry.column); }
    std::sort(places.begin(), places.end());
    return std::adjacent_find(places.begin(), places.end()) != places.end();
}

}  // namespace

int LinearProgram::add_column(LpColumn column) {
    columns.push_back(column);
    return static_cast<int>(columns.size()) - 1;
}

int LinearProgram::add_row(LpRow row, std::span<const LpTerm> terms) {
    const int index = static_cast<int>(rows.size());
    rows.push_back(row);
    for (const LpTerm& term : terms) { entries.push_back({.row = index, .column = term.column, .coefficient = term.coefficient}); }
    return index;
}

void LinearProgram::validate() const {
    for (const LpColumn& column : columns) { MEDLEY_ASSERT(std::isfinite(column.objective) && bounds_are_sound(column.low, column.high)); }
    for (const LpRow& row : rows) { MEDLEY_ASSERT(bounds_are_sound(row.low, row.high)); }
    for (const LpEntry& entry : entries) {
        MEDLEY_ASSERT(std::isfinite(entry.coefficient));
        MEDLEY_ASSERT(entry.row >= 0 && entry.row < static_cast<int>(rows.size()));
        MEDLEY_ASSERT(entry.column >= 0 && entry.column < static_cast<int>(columns.size()));
    }
    MEDLEY_ASSERT(!names_an_entry_twice(entries));
}

}  // namespace medley::planner
