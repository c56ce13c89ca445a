#pragma once
/// jobs.csv: one row a job in order of submission (columns in docs/formats.md).

#include "io/results/output_file.h"
#include "sched/metrics.h"

namespace medley::io {

/// Throws medley::Error when the file cannot be written; its owner commits it. Cost: about 0.25 us a job.
void write_jobs_csv(OutputFile& file, const Metrics& metrics);

}  // namespace medley::io
