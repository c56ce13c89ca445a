#pragma once
/// What `medley run` says at its end, for programs and for people.

#include <optional>
#include <string>

#include "cli/run_prediction.h"
#include "executor/report/run_report.h"

namespace medley::cli {

struct RunResult {
    executor::RunSetup setup;
    executor::RunReport report;
    std::optional<Prediction> prediction;
    std::string no_prediction;
    std::string directory;
    bool done = false;   ///< every step
    std::string reason;  ///< why not, or what else went wrong
    Seconds wall;
};

/// The fields of docs/formats.md.
std::string run_json(const RunResult& result);
/// Measured beside predicted, what changed on the way, and where the files are.
std::string run_text(const RunResult& result);

/// `--dry-run`: where every virtual node would lie, and what a step should take.
std::string placement_json(const executor::RunSetup& setup, const executor::Placement& placement,
                           const std::optional<Prediction>& prediction);
std::string placement_text(const executor::RunSetup& setup, const executor::Placement& placement,
                           const std::optional<Prediction>& prediction, const std::string& no_prediction);

/// "2 x 64 + 1 x 32".
std::string describe_batches(std::vector<std::int64_t> sizes);

}  // namespace medley::cli
