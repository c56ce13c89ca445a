#pragma once
/// The first regular file of a tar archive, met while its bytes pass by.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace medley::io {

/// Bytes that begin with a ustar header (POSIX 1003.1, also GNU's) are an archive; all others pass unchanged. What follows the first
/// regular file is left unread. Members of other kinds (folders, long names, extended headers) before it are skipped.
class TarFilter {
 public:
    using Read = std::function<std::size_t(char*, std::size_t)>;

    /// As ByteSource::read, with `next` giving the bytes. Throws medley::Error without a file name for an archive that holds no file, ends
    /// inside one, or whose header is damaged.
    std::size_t read(const Read& next, char* target, std::size_t room);

 private:
    void begin(const Read& next);
    bool read_header(const Read& next);
    void find_file(const Read& next);
    void skip(const Read& next, std::uint64_t bytes);

    bool begun_ = false;
    bool archive_ = false;
    std::string head_;            // the first block, or what there was of it
    std::size_t head_taken_ = 0;  // how much of it was given on, if it is no archive
    std::uint64_t left_ = 0;      // bytes of the archive's file not given on yet
};

}  // namespace medley::io
