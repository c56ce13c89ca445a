#pragma once
/// Rows of CSV text (RFC 4180) without copying it: quotes, doubled quotes, line breaks inside quotes, LF and CRLF, a byte order mark.
/// Also of its relatives with another separator or without quotes.

#include <array>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/text_window.h"

namespace medley::io {

struct CsvDialect {
    char separator = ',';
    bool quotes = true;          ///< false: a quote is a character like any other
    bool unnamed_first = false;  ///< of a table: the first column may lack a name, as where an index was written out
};

/// A cursor over the rows of a text that outlives it, or of a file of any size. Unquoted cells lose blanks at both ends (tabs are none
/// where they separate); blank lines are skipped. Cost: one look at each byte.
class CsvReader {
 public:
    explicit CsvReader(std::string_view text, CsvDialect dialect = {});
    /// Reads on as needed; `source` outlives the reader. Memory: as of TextWindow, a row being a record.
    explicit CsvReader(ByteSource& source, CsvDialect dialect = {});

    /// Goes to the next row; false at the end. Throws medley::Error naming the line for a quote that is not closed or not followed by
    /// a separator or the end of the line, and as TextWindow does. Earlier cells are no longer valid.
    bool next();
    const std::vector<std::string_view>& cells() const { return cells_; }
    /// Where the current row begins, counted from 1.
    std::size_t line() const { return line_; }

 private:
    void set_dialect(CsvDialect dialect);
    bool refill(std::size_t done);
    void read_row();
    void read_cells();
    std::string_view read_cell();
    std::string_view read_plain();
    std::string_view read_quoted();
    void expect_end_of_cell();
    bool blank(char c) const { return c == ' ' || (c == '\t' && separator_ != '\t'); }
    std::string_view trimmed_end(std::string_view text) const;
    bool at_line_end() const;
    bool take_line_end();

    std::optional<TextWindow> window_;
    std::string_view text_;
    bool more_ = false;  // may there be text behind `text_`?
    char separator_ = ',';
    bool quotes_ = true;
    std::array<bool, 256> ends_plain_{};  // by character: may it end a cell without quotes?
    std::size_t position_ = 0;
    std::size_t line_ = 0;
    std::size_t next_line_ = 1;
    std::vector<std::string_view> cells_;
    std::deque<std::string> unescaped_;  // cells that held doubled quotes; a deque, so that views stay valid
};

}  // namespace medley::io
