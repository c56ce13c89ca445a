#pragma once
/// Everything that `medley run` decides before it starts: from its user's files and options to a run's setup, placement and prediction.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/run_devices.h"
#include "cli/run_prediction.h"
#include "core/profile.h"
#include "io/job_file.h"
#include "io/resize_plan_file.h"

namespace medley::cli {

struct RunRequest {
    std::string plan;
    std::string job;
    std::string device = "auto";
    std::string workers;
    std::string collective = "auto";
    bool exact = false;
    std::string mode = "train";
    std::string resize_plan;
    std::optional<std::uint64_t> seed;
    std::int64_t steps = 0;  ///< 0 = the job file's
    std::string profiles;
    double lease_s = 60;
};

/// What a run needs that its setup and placement do not hold; kept in its folder for resizes and resumes.
struct RunExtras {
    std::optional<Profile> profile;
    std::vector<io::ResizeStep> resizes;
};

struct PreparedRun {
    executor::RunSetup setup;
    executor::Placement placement;
    std::vector<std::pair<executor::Step, executor::Placement>> planned;
    RunExtras extras;
    std::optional<Prediction> prediction;
    std::string no_prediction;  ///< why there is none
    std::string job_text;       ///< the job file as it stands after options and defaults
};

/// Throws medley::Error for whatever of the files or options is wrong.
PreparedRun prepare_run(const RunRequest& request, const Console& console);

/// The placements that planned resizes ask for. `gpu_type` as in SpreadOptions.
std::vector<std::pair<executor::Step, executor::Placement>> planned_placements(const std::vector<io::ResizeStep>& resizes,
                                                                               const executor::RunSetup& setup, const RunExtras& extras,
                                                                               const executor::Placement& first);

/// Where a new placement of a run comes from: its virtual nodes, the devices it began with, its profile.
executor::Placement placement_for(const std::string& option, const std::string& to, const executor::RunSetup& setup,
                                  const RunExtras& extras, const executor::Placement& first);

}  // namespace medley::cli
