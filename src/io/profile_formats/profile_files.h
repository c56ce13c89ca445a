#pragma once
/// Folders of profile files, in an order that does not depend on the file system.

#include <filesystem>
#include <string>
#include <vector>

namespace medley::io {

/// The regular files of a folder, by name. Throws medley::Error if it cannot be read.
std::vector<std::filesystem::path> sorted_files(const std::filesystem::path& folder);
/// The folders directly in a folder, by name.
std::vector<std::filesystem::path> sorted_folders(const std::filesystem::path& folder);
/// The regular files of a folder and of all folders below it, by path.
std::vector<std::filesystem::path> sorted_files_below(const std::filesystem::path& folder);

[[noreturn]] void refuse_folder(const std::filesystem::path& folder, const std::string& expected);

}  // namespace medley::io
