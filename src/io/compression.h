#pragma once
/// gzip and Zstandard, recognised by their first bytes: whole, or piece by piece in bounded memory.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace medley::io {

/// Beyond this an unpacked file that is held in memory is taken for a bomb.
inline constexpr std::size_t kMostUnpackedBytes = std::size_t{16} << 30;

/// The contents of a compressed stream (also of several, one after another); anything else comes back as it is. Throws
/// medley::Error without a file name if the stream is damaged, ends too early or grows beyond `most_bytes`.
std::string unpack(std::string bytes, std::size_t most_bytes = kMostUnpackedBytes);

/// Unpacks a stream that comes in pieces. Memory: that of the packing's window.
class Unpacker {
 public:
    /// `first_bytes`, at least four if the stream has them, tell the packing.
    explicit Unpacker(std::string_view first_bytes);
    ~Unpacker();
    Unpacker(Unpacker&&) noexcept;
    Unpacker& operator=(Unpacker&&) noexcept;

    /// Is the stream packed at all? If not, it is not for this class.
    bool packed() const { return stream_ != nullptr; }
    /// Takes bytes from the front of `in`, writes at most `room` to `out` and returns how many. 0 with `in` used up: it needs more.
    /// Requires `packed`. Throws as `unpack` does for a damaged stream.
    std::size_t step(std::string_view& in, char* out, std::size_t room);
    /// Throws unless the stream may end here.
    void require_complete() const;

 private:
    class Stream;
    std::unique_ptr<Stream> stream_;
};

}  // namespace medley::io
