#pragma once
/// Rows of CSV text (RFC 4180) without copying it: quotes, doubled quotes, line breaks inside quotes, LF and CRLF, a byte order mark.

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace medley::io {

/// A cursor over the rows of a text that outlives it. Unquoted cells lose blanks at both ends; blank lines are skipped.
/// Cost: one look at each byte.
class CsvReader {
 public:
    explicit CsvReader(std::string_view text);

    /// Goes to the next row; false at the end. Throws medley::Error naming the line for a quote that is not closed or not followed by
    /// a comma or the end of the line. Earlier cells are no longer valid.
    bool next();
    const std::vector<std::string_view>& cells() const { return cells_; }
    /// Where the current row begins, counted from 1.
    std::size_t line() const { return line_; }

 private:
    void read_row();
    std::string_view read_cell();
    std::string_view read_plain();
    std::string_view read_quoted();
    void expect_end_of_cell();
    bool at_line_end() const;
    bool take_line_end();

    std::string_view text_;
    std::size_t position_ = 0;
    std::size_t line_ = 0;
    std::size_t next_line_ = 1;
    std::vector<std::string_view> cells_;
    std::deque<std::string> unescaped_;  // cells that held doubled quotes; a deque, so that views stay valid
};

}  // namespace medley::io
