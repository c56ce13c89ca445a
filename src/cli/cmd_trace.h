#pragma once
/// `medley trace import|export|generate|summarize|validate`: traces from elsewhere, made up, looked at and checked.

#include "cli/command.h"

namespace medley::cli {

Work set_up_trace_import(CLI::App& app, const Console& console);
Work set_up_trace_export(CLI::App& app, const Console& console);
Work set_up_trace_generate(CLI::App& app, const Console& console);
Work set_up_trace_summarize(CLI::App& app, const Console& console);
Work set_up_trace_validate(CLI::App& app, const Console& console);

}  // namespace medley::cli
