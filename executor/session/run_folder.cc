#include "executor/session/run_folder.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "executor/protocol/message_codec.h"
#include "executor/storage/durable_file.h"
#include "executor/storage/sha256.h"

namespace medley::executor {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRunMagic("MEDLEYRUN\x01", 10);

[[noreturn]] void fail(const fs::path& file, const char* what) {
    throw Error(Problem{.file = file.string(), .message = std::string(what) + ": " + std::strerror(errno)});
}
[[noreturn]] void refuse(const fs::path& file, const char* message) { throw Error(Problem{.file = file.string(), .message = message}); }

std::string read_all(const fs::path& file) {
    std::error_code ignored;
    if (fs::is_directory(file, ignored)) { refuse(file, "is a folder: expected a file"); }
    std::ifstream stream(file, std::ios::binary);
    if (!stream) { fail(file, "cannot be read"); }
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

Secret create_secret(const fs::path& directory) {
    const Secret secret = fresh_nonce();
    const fs::path file = directory / "secret";
    FileDescriptor written(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
    written.write({reinterpret_cast<const char*>(secret.data()), secret.size()});
    written.sync();
    return secret;
}

Secret read_secret(const fs::path& directory) {
    const fs::path file = directory / "secret";
    const FileDescriptor descriptor(file, O_RDONLY | O_NOFOLLOW);
    struct stat facts {};
    if (::fstat(descriptor.number(), &facts) != 0) { fail(file, "cannot be read"); }
    if ((facts.st_mode & (S_IRWXG | S_IRWXO)) != 0) { refuse(file, "others can read or change it; expected mode 0600"); }
    Secret secret;
    const ssize_t size = ::read(descriptor.number(), secret.data(), secret.size());
    if (facts.st_size != static_cast<off_t>(secret.size()) || size != static_cast<ssize_t>(secret.size())) {
        refuse(file, "is no secret of a run: expected 32 bytes");
    }
    return secret;
}

void publish_endpoint(const fs::path& directory, const Endpoint& endpoint) {
    const bool v6 = endpoint.host.find(':') != std::string::npos;
    const std::string host = v6 ? "[" + endpoint.host + "]" : endpoint.host;
    replace_file(directory / "endpoint", host + ":" + std::to_string(endpoint.port) + "\n", 0644);
}

Endpoint read_endpoint(const fs::path& directory) {
    const fs::path file = directory / "endpoint";
    std::string text = read_all(file);
    if (!text.empty() && text.back() == '\n') { text.pop_back(); }
    const std::size_t colon = text.rfind(':');
    Endpoint endpoint;
    if (colon == std::string::npos || colon == 0) { refuse(file, "is no endpoint: expected HOST:PORT"); }
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, endpoint.port);
    if (error != std::errc() || stop != end || endpoint.port == 0) { refuse(file, "is no endpoint: expected HOST:PORT"); }
    const bool v6 = text.front() == '[' && text[colon - 1] == ']';
    endpoint.host = v6 ? text.substr(1, colon - 2) : text.substr(0, colon);
    return endpoint;
}

void write_run(const fs::path& directory, const RunDescription& run) {
    std::string bytes = std::string(kRunMagic) + encode_setup(run.setup, run.placement);
    bytes += sha256(bytes);
    replace_file(directory / "run.bin", bytes, 0644);
}

RunDescription read_run(const fs::path& directory) {
    const fs::path file = directory / "run.bin";
    if (!fs::exists(file)) { throw Error(Problem{.file = directory.string(), .message = "holds no run of Medley (there is no run.bin)"}); }
    const std::string bytes = read_all(file);
    if (!bytes.starts_with(kRunMagic)) { refuse(file, "describes no run, or one of another version of Medley"); }
    const std::size_t size = bytes.size() - std::min(bytes.size(), Sha256::kBytes);
    const std::string_view content = std::string_view(bytes).substr(0, size);
    if (bytes.substr(size) != sha256(content)) { refuse(file, "is damaged: its checksum is wrong"); }
    auto run = decode_setup(content.substr(std::min(size, kRunMagic.size())));
    if (!run) { refuse(file, "describes no run of this version of Medley"); }
    return {.setup = std::move(run->first), .placement = std::move(run->second)};
}

RunLock::RunLock(const fs::path& directory) {
    const fs::path file = directory / "lock";
    descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor_ < 0) { fail(file, "cannot be opened"); }
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) { return; }
    const bool taken = errno == EWOULDBLOCK;
    ::close(descriptor_);
    if (taken) { throw Error(Problem{.file = directory.string(), .message = "a coordinator is already running in this folder"}); }
    fail(file, "cannot be locked");
}

RunLock::~RunLock() { ::close(descriptor_); }

}  // namespace medley::executor
