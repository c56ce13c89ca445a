#pragma once
/// utilization.csv: GPUs present and held, jobs running and waiting, over time (columns in docs/formats.md).

#include "io/results/output_file.h"
#include "sched/metrics.h"

namespace medley::io {

/// Throws medley::Error when the file cannot be written; its owner commits it.
void write_utilization_csv(OutputFile& file, const Metrics& metrics);

}  // namespace medley::io
