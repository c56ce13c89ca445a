#pragma once
/// `medley resize`: other devices for a job while it runs.

#include "cli/command.h"

namespace medley::cli {

Work set_up_resize(CLI::App& app, const Console& console);

}  // namespace medley::cli
