#pragma once
/// The files of a run's folder that are made at its end.

#include <filesystem>

#include "cli/pictures.h"
#include "cli/run_output.h"
#include "executor/report/run_history.h"

namespace medley::cli {

/// summary.json (as `run --json`), events.jsonl, jobs.csv, utilization.csv, and the pictures asked for. Files of an
/// earlier life of the coordinator are replaced.
void write_run_results(const std::filesystem::path& directory, const RunResult& result, const executor::RunHistory& history,
                       const PictureOptions& pictures);

}  // namespace medley::cli
