#pragma once
/// A file of any size line by line.

#include <cstddef>
#include <string_view>

#include "io/text_window.h"

namespace medley::io {

/// Lines end with LF or CRLF; the last may lack its end. Memory: as of TextWindow, a line being a record.
class LineReader {
 public:
    /// `source` outlives the reader.
    explicit LineReader(ByteSource& source) : window_(source) {}

    /// Goes to the next line; false at the end. Throws as TextWindow does. The earlier line is no longer valid.
    bool next();
    /// Without its end.
    std::string_view text() const { return text_; }
    /// Counted from 1.
    std::size_t line() const { return line_; }

 private:
    TextWindow window_;
    std::size_t position_ = 0;
    std::size_t line_ = 0;
    std::string_view text_;
};

}  // namespace medley::io
