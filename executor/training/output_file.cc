#include "executor/training/output_file.h"

#include <fcntl.h>

#include "core/error.h"

namespace medley::executor {

std::filesystem::path outputs_path(const std::filesystem::path& folder) { return folder / "outputs.npy"; }

OutputFile::OutputFile(const std::filesystem::path& folder, NpyType type, const std::vector<std::int64_t>& shape)
    : name_(outputs_path(folder)), file_(name_.string() + ".part", O_RDWR | O_CREAT, 0644), row_bytes_(bytes_of(type)), rows_(shape.at(0)) {
    for (std::size_t index = 1; index < shape.size(); ++index) { row_bytes_ *= static_cast<std::size_t>(shape[index]); }
    const std::string header = format_npy_header(type, shape);
    header_bytes_ = header.size();
    file_.resize(header_bytes_ + row_bytes_ * static_cast<std::size_t>(rows_));
    file_.write_at(0, header);
}

void OutputFile::write(std::int64_t first_row, std::string_view rows) {
    MEDLEY_ASSERT(first_row >= 0 && rows.size() % row_bytes_ == 0);
    MEDLEY_ASSERT(first_row + static_cast<std::int64_t>(rows.size() / row_bytes_) <= rows_);
    file_.write_at(header_bytes_ + row_bytes_ * static_cast<std::size_t>(first_row), rows);
}

void OutputFile::finish() { finish_as(file_, name_); }

}  // namespace medley::executor
