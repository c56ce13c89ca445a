#include "io/results/output_file.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"

namespace medley::io {
namespace {

constexpr mode_t kReadableAndWritable = 0666;  // less the user's umask

std::filesystem::path follow_links(const std::filesystem::path& path) {
    std::error_code failed;
    std::filesystem::path target = std::filesystem::canonical(path, failed);
    return failed ? path : target;
}

bool is_special(const std::filesystem::path& path) {
    std::error_code failed;
    const std::filesystem::file_status status = std::filesystem::status(path, failed);
    return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

// Hidden, and with the process's number, so that two runs into one folder do not write into each other's file.
std::filesystem::path temporary_name(const std::filesystem::path& target) {
    return target.parent_path() / fmt::format(".{}.{}.tmp", target.filename().string(), ::getpid());
}

bool give_name(int descriptor, const std::filesystem::path& name) {
    const std::string unnamed = fmt::format("/proc/self/fd/{}", descriptor);
    return ::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

}  // namespace

OutputFile::OutputFile(const std::filesystem::path& path) : path_(path), target_(follow_links(path)) {
    if (std::filesystem::is_directory(target_)) {
        throw Error(Problem{.file = path_.string(), .expected = "a file to write", .message = "is a directory"});
    }
    if (!is_special(target_)) { temporary_ = temporary_name(target_); }
    open();
    buffer_.reserve(kFlushAt + kFlushAt / 4);
}

OutputFile::~OutputFile() {
    if (descriptor_ >= 0) { ::close(descriptor_); }
    if (has_temporary_name_) { ::unlink(temporary_.c_str()); }
}

void OutputFile::open() {
    if (temporary_.empty()) {
        descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    } else {
        const std::filesystem::path folder = target_.has_parent_path() ? target_.parent_path() : ".";
        descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kReadableAndWritable);
    }
    if (descriptor_ < 0 && !temporary_.empty()) {
        descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kReadableAndWritable);
        has_temporary_name_ = descriptor_ >= 0;
    }
    if (descriptor_ < 0) { fail("cannot be created"); }
}

void OutputFile::write(std::string_view text) {
    buffer_ += text;
    flush_if_large();
}

// Closing belongs to it: network file systems report a full disk only there.
void OutputFile::finish() {
    if (descriptor_ < 0) { return; }
    flush();
    if (!temporary_.empty() && !has_temporary_name_) {
        ::unlink(temporary_.c_str());  // of an earlier process with our number
        if (!give_name(descriptor_, temporary_)) { fail("cannot be created"); }
        has_temporary_name_ = true;
    }
    if (::close(std::exchange(descriptor_, -1)) != 0) { fail("cannot be written"); }
}

void OutputFile::commit() {
    finish();
    if (!has_temporary_name_) { return; }
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) { fail("cannot be renamed to its name"); }
    has_temporary_name_ = false;
}

void OutputFile::flush() {
    std::string_view left = buffer_;
    while (!left.empty()) {
        const ssize_t written = ::write(descriptor_, left.data(), left.size());
        if (written < 0 && errno == EINTR) { continue; }
        if (written < 0) { fail("cannot be written"); }
        left.remove_prefix(static_cast<std::size_t>(written));
    }
    buffer_.clear();
}

void OutputFile::fail(const char* what) const {
    throw Error(Problem{.file = path_.string(), .message = fmt::format("{} ({})", what, std::strerror(errno))});
}

void write_text_file(const std::filesystem::path& path, std::string_view text) {
    OutputFile file(path);
    file.write(text);
    file.commit();
}

}  // namespace medley::io
