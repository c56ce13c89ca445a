#include "executor/data/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.h"

namespace medley::executor {
namespace {

[[noreturn]] void refuse_file(const std::string& path, const std::string& why) { throw Error(Problem{.file = path, .message = why}); }

std::string_view mapped(const std::string& path) {
    // Without waiting: a pipe that nobody writes to is refused like any other thing that is not a file.
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) { refuse_file(path, std::string("cannot be opened: ") + std::strerror(errno)); }
    struct stat status {};
    const bool regular = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    const auto size = static_cast<std::size_t>(status.st_size);
    void* address = regular && size > 0 ? ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
    const std::string reason = !regular    ? "is not a file"
                               : size == 0 ? "is empty"
                                           : std::string("cannot be mapped: ") + std::strerror(errno);
    ::close(file);
    if (address == MAP_FAILED) { refuse_file(path, reason); }
    return {static_cast<const char*>(address), size};
}

}  // namespace

MappedFile::MappedFile(std::string path) : path_(std::move(path)), bytes_(mapped(path_)) {}

MappedFile::~MappedFile() { ::munmap(const_cast<char*>(bytes_.data()), bytes_.size()); }

}  // namespace medley::executor
