#include "io/text_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "core/error.h"
#include "io/compression.h"
#include "io/utf8.h"

namespace medley::io {
namespace {

[[noreturn]] void refuse_file(const std::filesystem::path& path, const std::string& why) {
    throw Error(Problem{.file = path.string(), .expected = "a readable file", .message = why});
}

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File open(const std::filesystem::path& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) { refuse_file(path, "is a directory"); }
    File file(std::fopen(path.c_str(), "rb"), std::fclose);
    if (!file) { refuse_file(path, fmt::format("cannot be opened ({})", std::strerror(errno))); }
    // Most devices never end; a terminal does, when its user says so.
    const bool device = std::filesystem::is_character_file(path, ignored) && ::isatty(::fileno(file.get())) == 0;
    if (device) { refuse_file(path, "is a device"); }
    return file;
}

// The size a regular file will have; pipes and devices give none and are read by doubling.
std::size_t expected_size(const std::filesystem::path& path) {
    std::error_code failed;
    const auto size = std::filesystem::file_size(path, failed);
    return failed ? 0 : static_cast<std::size_t>(std::min<std::uintmax_t>(size, kMostUnpackedBytes));
}

std::string read_bytes(const std::filesystem::path& path) {
    const File file = open(path);
    constexpr std::size_t kLeast = 1 << 16;
    std::string bytes(std::max(kLeast, expected_size(path) + 1), '\0');
    std::size_t used = 0;
    while (true) {
        used += std::fread(bytes.data() + used, 1, bytes.size() - used, file.get());
        if (std::ferror(file.get()) != 0) { refuse_file(path, fmt::format("cannot be read ({})", std::strerror(errno))); }
        if (used < bytes.size()) { break; }
        if (used > kMostUnpackedBytes) { refuse_file(path, "is too large"); }
        bytes.resize(2 * used);
    }
    bytes.resize(used);
    return bytes;
}

bool plain_ascii(char c) { return static_cast<signed char>(c) > 0; }

}  // namespace

std::string read_text_file(const std::filesystem::path& path) {
    return naming_file(path.string(), [&] { return unpack(read_bytes(path)); });
}

std::string_view without_byte_order_mark(std::string_view text) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

void require_utf8(std::string_view text) {
    std::size_t position = 0;
    while (true) {
        const auto next = std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(position), text.end(), plain_ascii);
        if (next == text.end()) { return; }
        position = static_cast<std::size_t>(next - text.begin());
        const std::size_t length = *next == '\0' ? 0 : utf8_sequence_length(text.substr(position));
        if (length == 0) {
            const auto line = 1 + std::count(text.begin(), next, '\n');
            refuse_value(fmt::format("line {}", line), fmt::format("byte 0x{:02x}", static_cast<unsigned char>(*next)), "UTF-8 text");
        }
        position += length;
    }
}

}  // namespace medley::io
