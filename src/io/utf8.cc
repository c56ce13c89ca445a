#include "io/utf8.h"

namespace medley::io {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

std::size_t length_by_lead(unsigned char lead) {
    return lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
}

}  // namespace

std::size_t utf8_sequence_length(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t length = length_by_lead(lead);
    if (length == 0 || length > text.size()) { return 0; }
    for (std::size_t index = 1; index < length; ++index) {
        if (!is_continuation(text[index])) { return 0; }
    }
    if (length < 3) { return length; }
    const auto second = static_cast<unsigned char>(text[1]);
    const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
    const bool outside = (lead == 0xed && second > 0x9f) || (lead == 0xf4 && second > 0x8f);
    return overlong || outside ? 0 : length;
}

}  // namespace medley::io
