#pragma once
/// Gives an emulated model the numbers of its profile, so that workers need no files.

#include "core/profile.h"
#include "core/training.h"

namespace medley::cli {

/// Fills the times of an emulated model that names a profile. No effect on other jobs.
void fill_emulated_times(TrainingJob& job, const Profile& profile);

/// The profile that an emulated model names; empty for others.
std::string emulated_profile(const TrainingJob& job);

}  // namespace medley::cli
