#pragma once
/// The columns of a trace, one row each in one table: how a cell is read into a job, and how it is written from one.

#include <span>
#include <string_view>

#include <fmt/format.h>

#include "core/job.h"

namespace medley::io {

/// A job while its row is being read.
struct JobDraft {
    Job job;
    JobExtras extras;
    bool has_extras = false;
    bool has_priority = false;

    JobExtras& use_extras() {
        has_extras = true;
        return extras;
    }
};

struct TraceColumn {
    std::string_view name;
    bool required = false;
    std::string_view expected;
    /// False if the cell, which is not empty, is not what is expected.
    bool (*read)(std::string_view cell, JobDraft& draft);
    /// Appends the cell, before any quoting; nothing if the job does not state it.
    void (*write)(const Job& job, fmt::memory_buffer& cell);
};

/// Every column known, in the order in which they are written.
std::span<const TraceColumn> trace_columns();

}  // namespace medley::io
