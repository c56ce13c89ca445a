#include "io/byte_source.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "io/compression.h"
#include "io/tar_filter.h"

namespace medley::io {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 18;

[[noreturn]] void refuse_file(const std::string& name, const std::string& why) {
    throw Error(Problem{.file = name, .expected = "a readable file", .message = why});
}

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File open_file(const std::filesystem::path& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) { refuse_file(path.string(), "is a directory"); }
    File file(std::fopen(path.c_str(), "rb"), std::fclose);
    if (!file) { refuse_file(path.string(), fmt::format("cannot be opened ({})", std::strerror(errno))); }
    // Most devices never end; a terminal does, when its user says so.
    const bool device = std::filesystem::is_character_file(path, ignored) && ::isatty(::fileno(file.get())) == 0;
    if (device) { refuse_file(path.string(), "is a device"); }
    std::setvbuf(file.get(), nullptr, _IONBF, 0);  // reads are large already
    return file;
}

/// The bytes as they lie in the file or in memory.
class RawBytes {
 public:
    RawBytes(std::string name, File file) : name_(std::move(name)), file_(std::move(file)) {}
    RawBytes(std::string name, std::string_view bytes) : name_(std::move(name)), file_(nullptr, std::fclose), bytes_(bytes) {}

    const std::string& name() const { return name_; }

    std::size_t read(char* target, std::size_t room) {
        if (!file_) {
            const std::size_t count = bytes_.copy(target, room);
            bytes_.remove_prefix(count);
            return count;
        }
        const std::size_t count = std::fread(target, 1, room, file_.get());
        if (std::ferror(file_.get()) != 0) { refuse_file(name_, fmt::format("cannot be read ({})", std::strerror(errno))); }
        return count;
    }

 private:
    std::string name_;
    File file_;
    std::string_view bytes_;
};

// The size a regular file has; pipes and terminals have none.
std::size_t size_of(const std::filesystem::path& path) {
    std::error_code failed;
    const auto size = std::filesystem::file_size(path, failed);
    return failed ? 0 : static_cast<std::size_t>(std::min<std::uintmax_t>(size, kMostUnpackedBytes));
}

}  // namespace

class ByteSource::Impl {
 public:
    Impl(RawBytes raw, std::size_t size) : raw_(std::move(raw)) {
        buffer_.resize(std::clamp(size, std::size_t{512}, kBuffer));
        fill();
        unpacker_.emplace(rest_);
        size_hint_ = unpacker_->packed() ? 0 : size;
    }

    const std::string& name() const { return raw_.name(); }
    std::size_t size_hint() const { return size_hint_; }

    std::size_t read(char* target, std::size_t room) {
        try {
            return tar_.read([this](char* to, std::size_t most) { return read_unpacked(to, most); }, target, room);
        } catch (const Error& error) { throw error.in_file(name()); }
    }

 private:
    void fill() {
        rest_ = std::string_view(buffer_.data(), raw_.read(buffer_.data(), buffer_.size()));
        ended_ = rest_.empty();
    }

    std::size_t read_unpacked(char* target, std::size_t room) {
        if (!unpacker_->packed()) { return read_plain(target, room); }
        while (true) {
            if (rest_.empty() && !ended_) { fill(); }
            if (const std::size_t count = unpacker_->step(rest_, target, room); count > 0) { return count; }
            if (!rest_.empty() || !ended_) { continue; }
            unpacker_->require_complete();
            return 0;
        }
    }

    std::size_t read_plain(char* target, std::size_t room) {
        if (rest_.empty()) { return raw_.read(target, room); }
        const std::size_t count = rest_.copy(target, room);
        rest_.remove_prefix(count);
        return count;
    }

    RawBytes raw_;
    std::string buffer_;
    std::string_view rest_;  // of the buffer, not used yet
    bool ended_ = false;
    std::size_t size_hint_ = 0;
    std::optional<Unpacker> unpacker_;
    TarFilter tar_;
};

ByteSource::ByteSource(const std::filesystem::path& path)
    : impl_(std::make_unique<Impl>(RawBytes(path.string(), open_file(path)), size_of(path))) {}
ByteSource::ByteSource(std::string name, std::string_view bytes)
    : impl_(std::make_unique<Impl>(RawBytes(std::move(name), bytes), bytes.size())) {}
ByteSource::~ByteSource() = default;
ByteSource::ByteSource(ByteSource&&) noexcept = default;
ByteSource& ByteSource::operator=(ByteSource&&) noexcept = default;

const std::string& ByteSource::name() const { return impl_->name(); }
std::size_t ByteSource::size_hint() const { return impl_->size_hint(); }
std::size_t ByteSource::read(char* target, std::size_t room) { return impl_->read(target, room); }

}  // namespace medley::io
