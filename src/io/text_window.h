#pragma once
/// A window that slides over a text of any size, for readers that work record by record.

#include <cstddef>
#include <string>
#include <string_view>

#include "io/byte_source.h"

namespace medley::io {

/// The window always ends where the bytes read so far end; its start moves on as the reader is done with what stood there. All of it is
/// UTF-8 without NUL bytes, without a leading byte order mark. Memory: 1 MiB, or twice the longest record. Cost: each byte is copied once,
/// an unfinished record twice.
class TextWindow {
 public:
    /// No record may be longer.
    static constexpr std::size_t kMostRecordBytes = std::size_t{64} << 20;
    /// So many readable bytes stand behind the window, as vector instructions may want.
    static constexpr std::size_t kPadding = 64;

    /// Reads the first bytes. Throws as `extend` does.
    explicit TextWindow(ByteSource& source);

    std::string_view text() const { return {buffer_.data(), used_}; }
    /// Has everything been read?
    bool at_end() const { return at_end_; }

    /// Drops the first `done` bytes and reads on; views of the window are no longer valid. False if there was nothing more to read.
    /// Throws medley::Error naming the line for bytes that are no UTF-8 text and for a record that is too long.
    bool extend(std::size_t done);

 private:
    void read_more();
    void check(std::size_t from);

    ByteSource* source_;
    std::string buffer_;
    std::size_t used_ = 0;
    std::size_t unchecked_ = 0;   // bytes at the end that may be the beginning of a longer sequence
    std::size_t first_line_ = 1;  // of the window
    bool at_end_ = false;
};

}  // namespace medley::io
