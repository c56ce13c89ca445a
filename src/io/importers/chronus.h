#pragma once
/// Chronus's workloads (SoCC 2021): Philly's durations with deadlines.

#include "io/importers/importer.h"

namespace medley::io {

/// Seconds after the start; duration is wall seconds of running. Virtual cluster (column `user`, the tenant) and model were drawn at
/// random by its publishers. `expect_time_list` is the deadline after submission of `strict` jobs, their QOS; `best` effort jobs have none.
const Importer& chronus_importer();

}  // namespace medley::io
