#include "executor/session/wal_file.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "core/error.h"
#include "executor/coordinator/wal.h"
#include "executor/storage/durable_file.h"

namespace medley::executor {
namespace {

std::string read_all(int descriptor, const std::string& file) {
    std::string bytes;
    char piece[65536];
    for (;;) {
        const ssize_t size = ::read(descriptor, piece, sizeof piece);
        if (size < 0 && errno == EINTR) { continue; }
        if (size < 0) { throw Error(Problem{.file = file, .message = std::string("cannot be read: ") + std::strerror(errno)}); }
        if (size == 0) { return bytes; }
        bytes.append(piece, static_cast<std::size_t>(size));
    }
}

}  // namespace

WalFile::WalFile(const std::filesystem::path& file, Opened* opened) : file_(file.string()) {
    descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor_ < 0) { throw Error(Problem{.file = file_, .message = std::string("cannot be opened: ") + std::strerror(errno)}); }
    const std::string bytes = read_all(descriptor_, file_);
    WalContents contents = read_wal(bytes);
    size_ = static_cast<std::int64_t>(contents.good_bytes);
    cut();
    if (opened == nullptr) { return; }
    opened->records = std::move(contents.records);
    if (contents.end == WalEnd::kDamaged) {
        opened->note = file_ + ": damaged after " + std::to_string(contents.good_bytes) + " bytes; going on from there";
    }
}

WalFile::~WalFile() { ::close(descriptor_); }

void WalFile::add(const Record& record) { pending_ += wal_entry(record); }

bool WalFile::write(bool durable) {
    const std::string bytes = std::exchange(pending_, {});
    if (write_out(bytes) && (!durable || ::fdatasync(descriptor_) == 0)) {
        size_ += static_cast<std::int64_t>(bytes.size());
        return true;
    }
    problem_ = file_ + ": " + std::strerror(errno);
    cut();
    return false;
}

bool WalFile::write_out(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) { continue; }
        if (written <= 0) { return false; }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

// Half a record must not stay: what is appended after it could never be read.
void WalFile::cut() {
    if (::ftruncate(descriptor_, size_) != 0 || ::lseek(descriptor_, size_, SEEK_SET) != size_) {
        throw Error(Problem{.file = file_, .message = std::string("cannot be cut to its whole records: ") + std::strerror(errno)});
    }
}

std::vector<Record> read_log(const std::filesystem::path& file) {
    const FileDescriptor log(file, O_RDONLY);
    return read_wal(read_all(log.number(), file.string())).records;
}

}  // namespace medley::executor
