#pragma once
/// gzip and Zstandard, recognised by their first bytes.

#include <cstddef>
#include <string>

namespace medley::io {

/// Beyond this an unpacked file is taken for a bomb.
inline constexpr std::size_t kMostUnpackedBytes = std::size_t{16} << 30;

/// The contents of a compressed stream (also of several, one after another); anything else comes back as it is. Throws
/// medley::Error without a file name if the stream is damaged, ends too early or grows beyond `most_bytes`.
std::string unpack(std::string bytes, std::size_t most_bytes = kMostUnpackedBytes);

}  // namespace medley::io
