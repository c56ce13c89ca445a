#pragma once
/// `medley run`: carries out a plan on real workers.

#include "cli/command.h"

namespace medley::cli {

Work set_up_run(CLI::App& app, const Console& console);

}  // namespace medley::cli
