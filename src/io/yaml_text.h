#pragma once
/// Texts as YAML scalars, for writers.

#include <string>
#include <string_view>

namespace medley::io {

/// In double quotes with JSON's escapes, which are YAML too.
std::string quoted_yaml(std::string_view text);

}  // namespace medley::io
