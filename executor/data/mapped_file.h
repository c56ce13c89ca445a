#pragma once
/// A whole file as bytes, mapped for reading: opened at once, whatever its size.

#include <string>
#include <string_view>

namespace medley::executor {

class MappedFile {
 public:
    /// Throws medley::Error naming the file: missing, not readable, not a file, empty.
    explicit MappedFile(std::string path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    const std::string& path() const { return path_; }
    /// Valid while the object lives and nobody cuts the file short.
    std::string_view bytes() const { return bytes_; }

 private:
    std::string path_;
    std::string_view bytes_;
};

}  // namespace medley::executor
