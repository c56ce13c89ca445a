#pragma once
/// Writes profile files.

#include <string>

#include "core/profile.h"

namespace medley::io {

/// The profile as YAML; reading it back gives the same profile.
std::string format_profile(const Profile& profile);

}  // namespace medley::io
