#include "executor/storage/durable_file.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"

namespace medley::executor {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_at(const fs::path& path, const char* what) {
    throw Error(Problem{.file = path.string(), .message = fmt::format("{}: {}", what, std::strerror(errno))});
}

/// Calls `put`(bytes left, bytes done) until all is written; it gives what write(2) gives.
template <class Put>
void write_all(const FileDescriptor& file, std::string_view bytes, const Put& put) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t written = put(bytes.substr(done), done);
        if (written < 0 && errno == EINTR) { continue; }
        if (written < 0) { file.fail("cannot be written"); }
        done += static_cast<std::size_t>(written);
    }
}

// Without this a renamed file may be gone after a loss of power.
void sync_folder(const fs::path& folder) {
    const int number = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (number < 0) { return; }
    static_cast<void>(::fsync(number));
    ::close(number);
}

}  // namespace

FileDescriptor::FileDescriptor(fs::path path, int flags, unsigned mode)
    : path_(std::move(path)), number_(::open(path_.c_str(), flags | O_CLOEXEC, mode)) {
    if (number_ < 0) { fail((flags & O_CREAT) != 0 ? "cannot be created" : "cannot be opened"); }
}

FileDescriptor::~FileDescriptor() {
    if (number_ >= 0) { ::close(number_); }
}

void FileDescriptor::write(std::string_view bytes) {
    write_all(*this, bytes, [this](std::string_view left, std::size_t) { return ::write(number_, left.data(), left.size()); });
}

void FileDescriptor::write_at(std::size_t offset, std::string_view bytes) {
    write_all(*this, bytes, [&](std::string_view left, std::size_t done) {
        return ::pwrite(number_, left.data(), left.size(), static_cast<off_t>(offset + done));
    });
}

void FileDescriptor::resize(std::size_t bytes) {
    if (::ftruncate(number_, static_cast<off_t>(bytes)) != 0) { fail("cannot be written"); }
}

void FileDescriptor::sync() {
    if (::fsync(number_) != 0) { fail("cannot be written"); }
}

void FileDescriptor::finish() {
    sync();
    if (::close(std::exchange(number_, -1)) != 0) { fail("cannot be written"); }
}

void FileDescriptor::fail(const char* what) const { fail_at(path_, what); }

UnfinishedFile::UnfinishedFile(fs::path temporary, unsigned mode) : file_(std::move(temporary), O_WRONLY | O_CREAT | O_TRUNC, mode) {}

UnfinishedFile::~UnfinishedFile() {
    if (!complete_) { ::unlink(file_.path().c_str()); }
}

void UnfinishedFile::commit(const fs::path& name) {
    finish_as(file_, name);
    complete_ = true;
}

void finish_as(FileDescriptor& file, const fs::path& name) {
    file.finish();
    if (::rename(file.path().c_str(), name.c_str()) != 0) { fail_at(name, "cannot be replaced"); }
    sync_folder(name.parent_path());
}

void replace_file(const fs::path& file, std::string_view bytes, unsigned mode) {
    UnfinishedFile unfinished(file.string() + ".new", mode);
    unfinished.write(bytes);
    unfinished.commit(file);
}

}  // namespace medley::executor
