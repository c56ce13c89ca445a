#pragma once
/// Rows of `sacct --parsable2` (or `-p`, with a bar at the end of each line): columns in any order, as many as there are.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_source.h"
#include "io/line_reader.h"

namespace medley::io::slurm {

/// The columns that mean something here; others are passed over.
enum class Column : std::size_t {
    kJobId,
    kUser,
    kAccount,
    kPartition,
    kQos,
    kState,
    kSubmit,
    kEligible,
    kStart,
    kEnd,
    kElapsed,
    kElapsedRaw,
    kTimelimit,
    kTimelimitRaw,
    kNodes,
    kCpus,
    kReqTres,
    kAllocTres,
    kAllocGres,
    kNodeList,
    kPriority,
    kReservation,
    kSubmitLine,
    kCount
};

/// A cursor over the rows below the header. Cost: one look at each byte.
class AccountingTable {
 public:
    enum class Row {
        kEnd,
        kGood,
        kTooFew,   ///< fewer cells than the header names: a line break in a free text, or a file cut short
        kTooMany,  ///< more cells: a bar in a free text, and which one is not clear
    };

    /// Reads the header; of a column named twice the first counts. Throws medley::Error for a first line without JobID. `source` outlives
    /// the table.
    explicit AccountingTable(ByteSource& source);

    /// Goes to the next row. Bars in the one free text there is (JobName, Comment, SubmitLine, ...) are put right. Header lines that come
    /// again (files joined together) and empty lines are passed over. Throws as LineReader does.
    Row next();

    bool has(Column column) const { return places_[static_cast<std::size_t>(column)].has_value(); }
    /// Without blanks at the ends; empty where the column is not there. Valid until the next call of `next`.
    std::string_view cell(Column column) const;
    std::size_t line() const { return lines_.line(); }
    /// Throws medley::Error{"line N, column C", cell, expected}.
    [[noreturn]] void refuse(Column column, std::string_view expected) const;

 private:
    void read_header();
    void split(std::string_view line);
    bool join_free_text();

    LineReader lines_;
    std::array<std::optional<std::size_t>, static_cast<std::size_t>(Column::kCount)> places_{};
    std::size_t columns_ = 0;
    std::string first_name_;
    std::optional<std::size_t> free_text_;  // the one column that may hold bars; none if there are none or several
    std::vector<std::string_view> cells_;
};

}  // namespace medley::io::slurm
