#pragma once
/// Where the trace commands put their traces.

#include <string>

#include "cli/command.h"
#include "core/job.h"

namespace medley::cli {

/// Does a trace go to standard output?
bool to_standard_output(const std::string& path);

/// Refuses, before any work, a name that ends as if the trace were compressed, and --json where the trace itself is printed.
void check_trace_output(const Console& console, const std::string& path);

/// Writes the text to `path`, or to standard output where that is empty or "-".
void write_trace(const Console& console, const std::string& path, const std::string& text);

}  // namespace medley::cli
