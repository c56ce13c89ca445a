#pragma once
/// Cells of public traces: every spelling of "missing", numbers with or without a point, times by a zone rule.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/name.h"
#include "core/units.h"
#include "io/civil_time.h"
#include "io/csv_table.h"

namespace medley::io {

/// Nobody's cluster is larger.
inline constexpr std::int64_t kMostRecordedGpus = 100'000'000;

/// "", None, none, null, NULL, NaN, nan, NA, N/A, Unknown.
bool is_missing(std::string_view cell);

/// Each gives the cell's value, or none if it is missing; throws medley::Error naming line, column, value and expectation if it is anything
/// else. Columns that a file may lack are optional: none then, too.
using MaybeColumn = std::optional<std::size_t>;

/// A whole number from 0 to `most`; "8.0" is whole.
std::optional<std::int64_t> read_count(const CsvTable& table, MaybeColumn column, std::int64_t most = kMostRecordedGpus);
/// A number of at least 0.
std::optional<double> read_amount(const CsvTable& table, MaybeColumn column);
/// A number of seconds of at least 0, exact to the nanosecond.
std::optional<SimTime> read_moment(const CsvTable& table, MaybeColumn column);
/// The same as a duration.
std::optional<Seconds> read_seconds(const CsvTable& table, MaybeColumn column);
/// A date with a time of day, as nanoseconds since 1970 UTC.
std::optional<SimTime> read_date(const CsvTable& table, MaybeColumn column, const ZoneRule& zone);
/// GPU types with `|` between them, as sources and our traces write alternatives; none if missing.
std::vector<Name> read_types(const CsvTable& table, MaybeColumn column);
/// The text; empty if missing.
Name read_label(const CsvTable& table, MaybeColumn column);

}  // namespace medley::io
