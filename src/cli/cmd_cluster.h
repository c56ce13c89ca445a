#pragma once
/// `medley cluster validate`: checks a cluster file and says what is in it.

#include "cli/command.h"

namespace medley::cli {

Work set_up_cluster_validate(CLI::App& app, const Console& console);

}  // namespace medley::cli
