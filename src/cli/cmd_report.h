#pragma once
/// medley report: results directories as one HTML file.

#include "cli/command.h"

namespace medley::cli {

Work set_up_report(CLI::App& app, const Console& console);

}  // namespace medley::cli
