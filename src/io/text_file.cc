#include "io/text_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"
#include "io/byte_source.h"
#include "io/compression.h"
#include "io/utf8.h"

namespace medley::io {
namespace {

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
        const std::size_t length = *next == '\0' ? 0 : utf8_sequence_length(text.substr(position));
        if (length == 0) { return position; }
        position += length;
    }
}

void require_utf8(std::string_view text, std::size_t first_line) {
    const std::size_t length = length_of_utf8(text);
    if (length == text.size()) { return; }
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(length);
    const std::size_t line = first_line + static_cast<std::size_t>(std::count(text.begin(), end, '\n'));
    refuse_value(fmt::format("line {}", line), fmt::format("byte 0x{:02x}", static_cast<unsigned char>(text[length])), "UTF-8 text");
}

}  // namespace medley::io
