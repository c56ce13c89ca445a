#pragma once
/// `medley profile measure`: a model's profile from this machine's devices.

#include "cli/command.h"

namespace medley::cli {

Work set_up_profile_measure(CLI::App& app, const Console& console);

}  // namespace medley::cli
