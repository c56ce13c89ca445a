#pragma once
/// `medley models`: the profiled models, with the GPU types and batch sizes that were measured.

#include "cli/command.h"

namespace medley::cli {

Work set_up_models(CLI::App& app, const Console& console);

}  // namespace medley::cli
