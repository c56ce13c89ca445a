#pragma once
/// Profile files (YAML): one model's measured times and memory by GPU type. The fields stand in docs/formats.md.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/profile.h"

namespace medley::io {

/// Reads and validates one profile. Throws medley::Error naming file, line and path inside it, value and expectation.
Profile load_profile(const std::filesystem::path& path);
Profile parse_profile(std::string_view text, const std::string& file);

struct NamedProfile {
    Profile profile;
    std::string file;
};

/// All profiles of a folder, ordered by model: every *.yaml or *.yml in it, subfolders left alone; clusters, catalogues,
/// jobs and plans skipped. A single file is accepted in place of a folder. Throws as above, and if two files state the same model.
std::vector<NamedProfile> load_named_profiles(const std::filesystem::path& folder);
/// The same without the names of their files.
std::vector<Profile> load_profiles(const std::filesystem::path& folder);

}  // namespace medley::io
