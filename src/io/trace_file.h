#pragma once
/// Traces (CSV, optionally compressed): jobs over time. The columns stand in docs/formats.md.

#include <filesystem>
#include <string>
#include <string_view>

#include "core/job.h"

namespace medley::io {

/// Reads a trace, validates it and orders its jobs. Throws medley::Error naming file, line and column, value and expectation.
/// Cost: one pass over the text without copying cells, then a sort; a million jobs take about a second.
Trace load_trace(const std::filesystem::path& path);
Trace parse_trace(std::string_view text, const std::string& file);

/// The trace as CSV: the columns any job states, in a fixed order. Reading it back gives the same jobs, bit for bit.
std::string format_trace(const Trace& trace);

}  // namespace medley::io
