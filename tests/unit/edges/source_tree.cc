#include "tests/unit/edges/source_tree.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace medley::edges {
namespace {

bool is_source(const std::filesystem::path& path) {
    const auto extension = path.extension();
    return extension == ".h" || extension == ".cc" || extension == ".cu";
}

std::string read_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

std::vector<SourceFile> read_sources(const std::filesystem::path& root, const std::vector<std::string>& folders) {
    std::vector<SourceFile> files;
    for (const std::string& folder : folders) {
        if (!std::filesystem::is_directory(root / folder)) { continue; }
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
            if (!entry.is_regular_file() || !is_source(entry.path())) { continue; }
            files.push_back({.path = entry.path().lexically_relative(root).generic_string(), .text = read_text(entry.path())});
        }
    }
    std::sort(files.begin(), files.end(), [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
    return files;
}

bool stands_in(std::string_view path, std::string_view folder) {
    return path.substr(0, folder.size()) == folder && (path.size() == folder.size() || path[folder.size()] == '/');
}

}  // namespace medley::edges
