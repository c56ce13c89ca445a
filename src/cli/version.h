#pragma once
/// What `medley --version` prints: version, compiler, and which optional parts were found.

#include <string>

namespace medley::cli {

std::string version_text();

}  // namespace medley::cli
