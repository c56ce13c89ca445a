#pragma once
/// `medley simulate`: one policy on one trace; the key figures, and all of it in a directory with --out.

#include "cli/command.h"

namespace medley::cli {

Work set_up_simulate(CLI::App& app, const Console& console);

}  // namespace medley::cli
