#pragma once
/// `medley status`, `list` and `cancel`: what runs are doing, and an end to them.

#include "cli/command.h"

namespace medley::cli {

Work set_up_status(CLI::App& app, const Console& console);
Work set_up_list(CLI::App& app, const Console& console);
Work set_up_cancel(CLI::App& app, const Console& console);

}  // namespace medley::cli
