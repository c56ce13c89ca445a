#include "cli/version.h"

#include <fmt/format.h>

#include "cli/build_info.h"

namespace medley::cli {

std::string version_text() {
    std::string text = fmt::format("medley {}\ncompiler: {}\n", kVersion, kCompiler);
    for (const BuildPart& part : kOptionalParts) { text += fmt::format("{}: {}\n", part.name, part.found); }
    text.pop_back();
    return text;
}

}  // namespace medley::cli
