#pragma once
/// Sailor's profiles (SOSP 2025): seconds by layer, `profiles/MODEL/GPU/profile.json`, and `llm_info.json`.

#include <string>
#include <string_view>

#include "io/profile_formats/profile_collection.h"

namespace medley::io {

/// One `profile.json`: micro-batch -> tensor-parallel degree -> layer -> [forward s, backward s, update s]. Degree 1 gives a point: the sum
/// of forward and backward over the layers; and an update, likewise. Other degrees are dropped.
void add_sailor_profile(std::string_view text, const std::string& file, const MeasuredOn& on, ProfileCollection& collection);
/// `llm_info.json`: model -> degree -> layer -> parameters and their bytes; those of degree 1 add up to `parameters` and
/// `gradient_bytes`.
void add_sailor_models(std::string_view text, const std::string& file, ProfileCollection& collection);

/// The row of the table: Sailor's folder, or its `profiles` (then `llm_info.json` is looked for beside it).
const ProfileFormat& sailor_profiles();

}  // namespace medley::io
