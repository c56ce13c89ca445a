#pragma once
/// Finds the profile of a model by its name.

#include <string>

#include "io/profile_file.h"

namespace medley::cli {

/// The profile of `model` in `folder` (--profiles; empty = the default folder), or else in one of the folders directly below it. Throws
/// medley::Error naming `option` and the nearest known model, and if several folders below have one.
io::NamedProfile load_profile_of(const std::string& option, const std::string& model, const std::string& folder);

}  // namespace medley::cli
