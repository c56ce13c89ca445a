#pragma once
/// `medley gpus`: the GPU types of a catalogue or of a cluster file.

#include "cli/command.h"

namespace medley::cli {

Work set_up_gpus(CLI::App& app, const Console& console);

}  // namespace medley::cli
