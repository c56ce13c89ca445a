#pragma once
/// The bytes of a file in pieces: plain, gzip or Zstandard (recognised by their first bytes), so that a file of any size needs little
/// memory.

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace medley::io {

/// One pass over a file's unpacked bytes. If they are a tar archive, the bytes are those of its first regular file: public data often comes
/// as `table.csv.tar.gz`. Thread rule: one thread at a time. Cost: one buffer of 256 KiB.
class ByteSource {
 public:
    /// Throws medley::Error naming the file if it is absent, a directory, a device or unreadable.
    explicit ByteSource(const std::filesystem::path& path);
    /// The same over bytes in memory, which must outlive it; `name` stands in errors.
    ByteSource(std::string name, std::string_view bytes);
    ~ByteSource();
    ByteSource(ByteSource&&) noexcept;
    ByteSource& operator=(ByteSource&&) noexcept;

    const std::string& name() const;
    /// What to expect of a plain file, for the size of a first buffer; 0 where it is not known.
    std::size_t size_hint() const;
    /// The first byte of all, 0 if there is none. To be asked before anything is read.
    char first_byte();
    /// Writes at most `room` bytes, at least one unless the end is reached, and returns how many. Throws medley::Error naming the file if
    /// it cannot be read, or its packing is damaged or ends too early.
    std::size_t read(char* target, std::size_t room);

 private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace medley::io
