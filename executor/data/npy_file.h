#pragma once
/// A .npy file mapped into memory.

#include <string>

#include "executor/data/mapped_file.h"
#include "executor/data/npy.h"

namespace medley::executor {

class NpyFile {
 public:
    /// Throws medley::Error naming the file: as `MappedFile` or `parse_npy`.
    explicit NpyFile(std::string path);

    const std::string& path() const { return file_.path(); }
    const NpyHeader& header() const { return header_; }
    double real(std::int64_t index) const { return npy_real(header_.type, data(), index); }
    std::int64_t whole(std::int64_t index) const { return npy_whole(header_.type, data(), index); }

 private:
    const char* data() const { return file_.bytes().data() + header_.data_offset; }

    MappedFile file_;
    NpyHeader header_;
};

}  // namespace medley::executor
