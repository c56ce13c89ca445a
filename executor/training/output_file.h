#pragma once
/// The outputs of an inference run: `outputs.npy` in the run's folder, one row per sample in the order of the inputs.
///
/// Rows have their places from the start, so whoever writes them, in whatever order and however often, the file comes out the same. It has
/// a temporary name until it is complete.

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "executor/data/npy.h"
#include "executor/storage/durable_file.h"

namespace medley::executor {

class OutputFile {
 public:
    /// `shape`: samples, then the shape of one output. Goes on with an unfinished file of the same shape. Throws medley::Error.
    OutputFile(const std::filesystem::path& folder, NpyType type, const std::vector<std::int64_t>& shape);

    /// Requires whole rows within the file. Throws medley::Error.
    void write(std::int64_t first_row, std::string_view rows);
    /// Gives it its name. Throws medley::Error.
    void finish();

 private:
    std::filesystem::path name_;
    FileDescriptor file_;
    std::size_t row_bytes_ = 0;
    std::size_t header_bytes_ = 0;
    std::int64_t rows_ = 0;
};

std::filesystem::path outputs_path(const std::filesystem::path& folder);

}  // namespace medley::executor
