#pragma once
/// Where the repository lies that the tests were built from: its profiles, traces and test data.

#include <filesystem>
#include <string>

namespace medley::test {

std::filesystem::path source_folder();
/// "profiles/clusters" -> the whole path, as text.
std::string source_path(const std::string& inside);

}  // namespace medley::test
