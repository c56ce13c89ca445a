#include "io/yaml_text.h"

#include <fmt/format.h>

namespace medley::io {

std::string quoted_yaml(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') { result += '\\'; }
        if (static_cast<unsigned char>(c) < 0x20) {
            result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        } else {
            result += c;
        }
    }
    return result + '"';
}

}  // namespace medley::io
