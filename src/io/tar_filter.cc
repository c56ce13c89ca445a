#include "io/tar_filter.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/error.h"

namespace medley::io {
namespace {

constexpr std::size_t kBlock = 512;

[[noreturn]] void refuse_archive(const char* why) { throw Error(Problem{.message = std::string("damaged tar archive: ") + why}); }

bool is_header(std::string_view block) {
    constexpr std::size_t kMagicAt = 257;
    return block.size() == kBlock && block.substr(kMagicAt, 5) == "ustar";
}

// An octal field, or GNU's base-256 for large files.
std::uint64_t number_field(std::string_view field) {
    std::uint64_t value = 0;
    if ((static_cast<unsigned char>(field[0]) & 0x80U) != 0) {
        for (const char c : field.substr(field.size() - sizeof(value))) { value = (value << 8U) | static_cast<unsigned char>(c); }
        return value;
    }
    for (const char c : field) {
        if (c == ' ' && value == 0) { continue; }
        if (c == '\0' || c == ' ') { break; }
        if (c < '0' || c > '7') { refuse_archive("a size is no octal number"); }
        value = value * 8 + static_cast<std::uint64_t>(c - '0');
    }
    return value;
}

std::uint64_t padded(std::uint64_t bytes) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 60;
    if (bytes > kMost) { refuse_archive("a size is beyond reason"); }
    return (bytes + kBlock - 1) / kBlock * kBlock;
}

}  // namespace

std::size_t TarFilter::read(const Read& next, char* target, std::size_t room) {
    if (!begun_) { begin(next); }
    if (!archive_) {
        if (head_taken_ == head_.size()) { return next(target, room); }
        const std::size_t count = head_.copy(target, room, head_taken_);
        head_taken_ += count;
        return count;
    }
    if (left_ == 0) { return 0; }
    const std::size_t count = next(target, static_cast<std::size_t>(std::min<std::uint64_t>(room, left_)));
    if (count == 0) { refuse_archive("it ends too early"); }
    left_ -= count;
    return count;
}

void TarFilter::begin(const Read& next) {
    begun_ = true;
    archive_ = read_header(next);
    if (archive_) { find_file(next); }
}

// Fills the head as far as there are bytes; true if it is a whole header.
bool TarFilter::read_header(const Read& next) {
    head_.resize(kBlock);
    std::size_t used = 0;
    while (used < kBlock) {
        const std::size_t count = next(head_.data() + used, kBlock - used);
        if (count == 0) { break; }
        used += count;
    }
    head_.resize(used);
    return is_header(head_);
}

void TarFilter::find_file(const Read& next) {
    constexpr std::size_t kSizeAt = 124;
    constexpr std::size_t kSizeLength = 12;
    constexpr std::size_t kKindAt = 156;
    while (true) {
        const std::string_view header = head_;
        const std::uint64_t size = number_field(header.substr(kSizeAt, kSizeLength));
        const char kind = header[kKindAt];
        if (kind == '0' || kind == '\0' || kind == '7') {
            left_ = size;
            return;
        }
        skip(next, padded(size));
        if (!read_header(next)) { refuse_archive("it holds no file"); }
    }
}

void TarFilter::skip(const Read& next, std::uint64_t bytes) {
    std::array<char, kBlock> block{};
    while (bytes > 0) {
        const std::size_t count = next(block.data(), static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), bytes)));
        if (count == 0) { refuse_archive("it ends too early"); }
        bytes -= count;
    }
}

}  // namespace medley::io
