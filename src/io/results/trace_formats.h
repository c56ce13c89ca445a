#pragma once
/// Formats in which traces can be handed to other programs (`medley trace export`).

#include <string>
#include <string_view>
#include <vector>

#include "core/job.h"

namespace medley::io {

/// "csv" (ours), "jsonl" (one JSON object a job, the columns of the CSV as fields; what a job does not state is absent), and the public
/// ones.
std::vector<std::string_view> trace_formats();

/// Columns that the trace states and the format cannot hold, in the order of the trace's columns; none for ours.
std::vector<std::string_view> columns_lost(std::string_view format, const Trace& trace);

/// Requires one of `trace_formats`. Throws medley::Error naming a job that the format cannot hold at all.
std::string format_trace_as(std::string_view format, const Trace& trace);

}  // namespace medley::io
