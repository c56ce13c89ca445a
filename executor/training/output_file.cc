#include "executor/training/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.h"

namespace medley::executor {

std::filesystem::path outputs_path(const std::filesystem::path& folder) { return folder / "outputs.npy"; }

OutputFile::OutputFile(const std::filesystem::path& folder, NpyType type, const std::vector<std::int64_t>& shape)
    : name_(outputs_path(folder)), unfinished_(name_.string() + ".part"), row_bytes_(bytes_of(type)), rows_(shape.at(0)) {
    for (std::size_t index = 1; index < shape.size(); ++index) { row_bytes_ *= static_cast<std::size_t>(shape[index]); }
    const std::string header = format_npy_header(type, shape);
    header_bytes_ = header.size();
    file_ = ::open(unfinished_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file_ < 0) { refuse(); }
    const std::size_t bytes = header_bytes_ + row_bytes_ * static_cast<std::size_t>(rows_);
    if (::ftruncate(file_, static_cast<off_t>(bytes)) != 0) { refuse(); }
    write_at(0, header);
}

OutputFile::~OutputFile() {
    if (file_ >= 0) { ::close(file_); }
}

void OutputFile::write(std::int64_t first_row, std::string_view rows) {
    MEDLEY_ASSERT(first_row >= 0 && rows.size() % row_bytes_ == 0);
    MEDLEY_ASSERT(first_row + static_cast<std::int64_t>(rows.size() / row_bytes_) <= rows_);
    write_at(header_bytes_ + row_bytes_ * static_cast<std::size_t>(first_row), rows);
}

void OutputFile::finish() {
    if (::fsync(file_) != 0 || ::close(std::exchange(file_, -1)) != 0 || ::rename(unfinished_.c_str(), name_.c_str()) != 0) { refuse(); }
}

void OutputFile::write_at(std::size_t offset, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR) { continue; }
        if (written < 0) { refuse(); }
        bytes.remove_prefix(static_cast<std::size_t>(written));
        offset += static_cast<std::size_t>(written);
    }
}

void OutputFile::refuse() const {
    throw Error(Problem{.file = unfinished_.string(), .message = std::string("outputs cannot be written: ") + std::strerror(errno)});
}

}  // namespace medley::executor
