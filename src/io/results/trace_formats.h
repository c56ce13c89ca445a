#pragma once
/// Formats in which traces can be handed to other programs (`medley trace export`).

#include <span>
#include <string>
#include <string_view>

#include "core/job.h"

namespace medley::io {

/// "csv" (ours), "jsonl" (one JSON object a job, the columns of the CSV as fields; what a job does not state is absent).
std::span<const std::string_view> trace_formats();

/// Requires one of `trace_formats`.
std::string format_trace_as(std::string_view format, const Trace& trace);

}  // namespace medley::io
