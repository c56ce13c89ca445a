#pragma once
/// Where the shipped data stands: profiles, cluster files and the catalogue of GPU types.

#include <filesystem>
#include <string>

namespace medley::cli {

/// `given` (--profiles) if not empty, else $MEDLEY_PROFILES, else ./profiles, else the installed share/medley/profiles beside the
/// program, else the folder of the sources it was built from. Throws medley::Error if none of the defaults exists.
std::filesystem::path profiles_folder(const std::string& given);

/// The catalogue of GPU types of the default folder.
std::filesystem::path gpu_catalogue();

}  // namespace medley::cli
