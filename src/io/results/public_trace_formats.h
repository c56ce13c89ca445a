#pragma once
/// Public formats that a trace can be written back to, so that other programs read it; the importers of the same names give it back.

#include <span>
#include <string>
#include <string_view>

#include "core/job.h"

namespace medley::io {

struct PublicTraceFormat {
    std::string_view name;
    /// The columns of our trace that the format can hold; what else a trace states is lost.
    std::span<const std::string_view> columns;
    /// Throws medley::Error naming the job and what the format cannot hold: work in steps, a whole pool, an id that is none there.
    std::string (*write)(const Trace& trace);
};

/// `itp`, `arrival-service` and `swf`.
std::span<const PublicTraceFormat> public_trace_formats();

}  // namespace medley::io
