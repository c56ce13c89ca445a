#pragma once
/// What a run's step should take, by its profile.

#include <optional>
#include <span>
#include <string>

#include "core/profile.h"
#include "executor/protocol/messages.h"

namespace medley::cli {

struct Prediction {
    double step_s = 0;
    double compute_s = 0;
    double communication_s = 0;      ///< 0 where the profile states no link
    std::optional<double> update_s;  ///< of the slowest device; empty if not measured
    double samples_per_s = 0;
};

/// Empty, with the reason in `why_not`, where there is no profile (null), or it lacks a GPU type or a size of the placement. Communication
/// is a ring over the profile's link. An emulated model that states its seconds itself needs no profile.
std::optional<Prediction> predict(const executor::RunSetup& setup, const executor::Placement& placement, const Profile* profile,
                                  std::string& why_not);

}  // namespace medley::cli
