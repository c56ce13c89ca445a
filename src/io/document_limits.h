#pragma once
/// Limits that hold for every document before it is parsed.

#include <cstddef>
#include <string_view>

namespace medley::io {

/// Documents are small files; what is larger belongs into CSV.
inline constexpr std::size_t kLargestDocument = std::size_t{4} << 20;

/// Throws medley::Error unless the text is UTF-8 of at most kLargestDocument bytes.
void require_document_limits(std::string_view text);

}  // namespace medley::io
