#pragma once
/// The C++ files of a source tree, read whole, for the checks on includes and style.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace medley::edges {

struct SourceFile {
    std::string path;  ///< relative to the root, with '/'
    std::string text;
};

/// Every .h, .cc and .cu file below `root`/`folders`, ordered by path. Folders that do not exist are left out.
std::vector<SourceFile> read_sources(const std::filesystem::path& root, const std::vector<std::string>& folders);

/// Does `path` stand in `folder` (or is it the same)? Both relative, with '/'.
bool stands_in(std::string_view path, std::string_view folder);

}  // namespace medley::edges
