#pragma once
/// `medley plan`: how one job is spread over unequal GPUs, how good that is, and what holds it back.

#include "cli/command.h"

namespace medley::cli {

Work set_up_plan(CLI::App& app, const Console& console);

}  // namespace medley::cli
