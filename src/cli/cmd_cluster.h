#pragma once
/// `medley cluster`: `validate` checks a cluster file and says what is in it; `import` makes one from what a scheduler says of its nodes;
/// `detect` makes one of this machine's devices.

#include "cli/command.h"

namespace medley::cli {

Work set_up_cluster_validate(CLI::App& app, const Console& console);
Work set_up_cluster_import(CLI::App& app, const Console& console);
Work set_up_cluster_detect(CLI::App& app, const Console& console);

}  // namespace medley::cli
