#pragma once
/// trace.perfetto.json: the timeline as trace events, for ui.perfetto.dev and chrome://tracing.

#include "io/report/job_spans.h"
#include "io/results/output_file.h"
#include "sched/metrics.h"

namespace medley::io {

/// The JSON Object Format of the Trace Event Format: one process a GPU type, in it one track for each gang that runs beside others, one
/// complete event ("X") for each stretch of a job with its GPUs and phase; counters of GPUs held and of jobs. Requires
/// LedgerDetail::kOverTime. Throws medley::Error when the file cannot be written; its owner commits it. Cost: O(n log n) in spans, about
/// 250 bytes each.
void write_perfetto(OutputFile& file, const JobSpans& spans, const Metrics& metrics);

}  // namespace medley::io
