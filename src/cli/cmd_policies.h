#pragma once
/// `medley policies [NAME]`: every scheduling policy in one line, or one with its options.

#include "cli/command.h"

namespace medley::cli {

Work set_up_policies(CLI::App& app, const Console& console);

}  // namespace medley::cli
