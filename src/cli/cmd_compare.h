#pragma once
/// `medley compare`: policies x seeds x traces x changes of the cluster in one table.

#include "cli/command.h"

namespace medley::cli {

Work set_up_compare(CLI::App& app, const Console& console);

}  // namespace medley::cli
