#pragma once
/// `medley worker`: one worker of a run. `medley run` starts its workers by itself; by hand or under Slurm it is the same command.

#include "cli/command.h"

namespace medley::cli {

Work set_up_worker(CLI::App& app, const Console& console);

}  // namespace medley::cli
