#pragma once
/// UTF-8, as far as readers and writers of files need it.

#include <cstddef>
#include <string_view>

namespace medley::io {

/// Bytes of the well-formed sequence at the start of a text that is not empty; 0 if there is none (Unicode 15, table 3-7).
std::size_t utf8_sequence_length(std::string_view text);

}  // namespace medley::io
