#pragma once
/// CSV with a header line, or with columns known beforehand: cells by column name, in any order.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/csv.h"

namespace medley::io {

/// A cursor over the rows below the header. A row may have empty cells too many (trailing separators), never too few.
class CsvTable {
 public:
    /// Reads the header. Throws medley::Error for text that is not UTF-8, has no header line, or names a column twice or not at all.
    explicit CsvTable(std::string_view text);
    /// The same for a file of any size, which outlives the table.
    explicit CsvTable(ByteSource& source, CsvDialect dialect = {});
    /// A file without a header line.
    CsvTable(ByteSource& source, std::vector<std::string> columns, CsvDialect dialect = {});

    const std::vector<std::string>& columns() const { return columns_; }
    std::optional<std::size_t> find(std::string_view column) const;
    /// Throws medley::Error, with the nearest name that is there, if the column is missing.
    std::size_t require(std::string_view column) const;
    /// Throws medley::Error naming the first column that is not one of `known`, with the nearest that is.
    void allow(std::span<const std::string_view> known) const;

    /// Goes to the next row; false at the end. Throws medley::Error for a row of the wrong length.
    bool next();
    /// Valid until the next call of `next`.
    std::string_view cell(std::size_t column) const { return reader_.cells()[column]; }
    std::size_t line() const { return reader_.line(); }

    /// Throws medley::Error{"line N, column C", the cell's text, expected}.
    [[noreturn]] void refuse(std::size_t column, std::string_view expected) const;

 private:
    CsvReader reader_;
    std::vector<std::string> columns_;
};

}  // namespace medley::io
