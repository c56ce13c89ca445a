#pragma once
/// `medley profile measure` (on this machine's devices), `import` (public formats) and `calibrate` (from a run).

#include "cli/command.h"

namespace medley::cli {

Work set_up_profile_measure(CLI::App& app, const Console& console);
Work set_up_profile_import(CLI::App& app, const Console& console);
Work set_up_profile_calibrate(CLI::App& app, const Console& console);

}  // namespace medley::cli
