#include "io/text_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"
#include "io/byte_source.h"
#include "io/compression.h"

namespace medley::io {
namespace {

bool continuation(unsigned char byte) { return (byte & 0xC0U) == 0x80U; }

// Bytes of the UTF-8 sequence that starts here (Unicode 15, table 3-7); 0 if there is none.
std::size_t sequence_length(std::string_view text) {
    const auto byte = [&](std::size_t index) { return index < text.size() ? static_cast<unsigned char>(text[index]) : 0U; };
    const unsigned first = byte(0);
    if (first != 0 && first < 0x80) { return 1; }
    const auto second = static_cast<unsigned char>(byte(1));
    if (!continuation(second)) { return 0; }
    if (first >= 0xC2 && first <= 0xDF) { return 2; }
    if (!continuation(static_cast<unsigned char>(byte(2)))) { return 0; }
    if (first >= 0xE0 && first <= 0xEF) {
        const bool overlong = first == 0xE0 && second < 0xA0;
        const bool surrogate = first == 0xED && second > 0x9F;
        return overlong || surrogate ? 0 : 3;
    }
    if (!continuation(static_cast<unsigned char>(byte(3)))) { return 0; }
    const bool in_range = (first == 0xF0 && second >= 0x90) || (first >= 0xF1 && first <= 0xF3) || (first == 0xF4 && second <= 0x8F);
    return in_range ? 4 : 0;
}

bool plain_ascii(char c) { return static_cast<signed char>(c) > 0; }

}  // namespace

std::string read_text_file(const std::filesystem::path& path) {
    ByteSource source(path);
    constexpr std::size_t kLeast = 1 << 16;
    std::string text(std::max(kLeast, source.size_hint() + 1), '\0');
    std::size_t used = 0;
    while (const std::size_t count = source.read(text.data() + used, text.size() - used)) {
        used += count;
        if (used < text.size()) { continue; }
        if (used > kMostUnpackedBytes) {
            throw Error(Problem{.file = path.string(),
                                .expected = fmt::format("at most {} bytes", kMostUnpackedBytes),
                                .message = "too large when unpacked"});
        }
        text.resize(2 * used);
    }
    text.resize(used);
    return text;
}

std::string_view without_byte_order_mark(std::string_view text) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

std::size_t length_of_utf8(std::string_view text) {
    std::size_t position = 0;
    while (true) {
        const auto next = std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(position), text.end(), plain_ascii);
        position = static_cast<std::size_t>(next - text.begin());
        if (next == text.end()) { return position; }
        const std::size_t length = sequence_length(text.substr(position));
        if (length == 0) { return position; }
        position += length;
    }
}

void require_utf8(std::string_view text, std::size_t first_line) {
    const std::size_t length = length_of_utf8(text);
    if (length == text.size()) { return; }
    const auto line =
        first_line + static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(length), '\n'));
    refuse_value(fmt::format("line {}", line), fmt::format("byte 0x{:02x}", static_cast<unsigned char>(text[length])), "UTF-8 text");
}

}  // namespace medley::io
