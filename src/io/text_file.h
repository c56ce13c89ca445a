#pragma once
/// Whole files as text: plain, gzip or Zstandard (recognised by their first bytes), with one clear error for whatever cannot be read.

#include <filesystem>
#include <string>
#include <string_view>

#include "core/error.h"

namespace medley::io {

/// The decompressed contents of a file. Throws medley::Error naming the file if it is absent, a directory, unreadable, a damaged or
/// truncated stream, or larger than 16 GiB when unpacked. Cost: one read, one buffer.
std::string read_text_file(const std::filesystem::path& path);

/// What `read` gives; an error it throws gains the file's name.
template <class Read>
auto naming_file(const std::string& file, const Read& read) {
    try {
        return read();
    } catch (const Error& error) { throw error.in_file(file); }
}

/// The text without a leading UTF-8 byte order mark.
std::string_view without_byte_order_mark(std::string_view text);

/// Throws medley::Error naming the line unless the text is UTF-8 without NUL bytes (so that every field can be written as JSON again).
/// `first_line` is the number of the line that the text begins in.
void require_utf8(std::string_view text, std::size_t first_line = 1);

/// How many bytes from the start are such text: all of them, or up to the first sequence that is wrong or not complete.
std::size_t length_of_utf8(std::string_view text);

}  // namespace medley::io
