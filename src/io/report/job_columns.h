#pragma once
/// The columns of a report that hold one number a job or a span.

#include <cstddef>
#include <cstdint>

#include "core/units.h"
#include "io/report/column_pack.h"
#include "io/report/job_spans.h"
#include "sched/metrics.h"

namespace medley::io {

/// Points in time as 32-bit numbers: whole ticks since the beginning, a tick being the smallest power of ten of nanoseconds that reaches
/// the end.
class Ticks {
 public:
    /// What stands for "never".
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    Ticks(SimTime begin, SimTime end);
    std::uint32_t at(SimTime time) const { return static_cast<std::uint32_t>((time - begin_).value / tick_); }
    SimTime begin() const { return begin_; }
    SimTime tick() const { return SimTime{tick_}; }

 private:
    SimTime begin_;
    std::int64_t tick_ = 1;
};

/// Adds the jobs' columns; returns the models they name, each job's by its place in this list.
std::vector<std::string> add_job_columns(ColumnPack& pack, const Metrics& metrics, const JobSpans& spans, const Ticks& ticks);

/// Spans that the timeline lacks because there were too many.
struct LeftOut {
    std::size_t spans = 0;
    SimTime longest;
};

/// Adds the spans' columns in order of their beginnings, the longest `most` of them.
LeftOut add_span_columns(ColumnPack& pack, const JobSpans& spans, const Ticks& ticks, std::size_t most);

}  // namespace medley::io
