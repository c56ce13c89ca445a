#pragma once
/// Muri's workloads (SIGCOMM 2022).

#include "io/importers/importer.h"

namespace medley::io {

/// All times are milliseconds. Duration = iterations x iteration_time, running alone on the requested GPUs; models were assigned at random
/// by its publishers. The time that an iteration spends on each of three resources, which are not named, is left out.
const Importer& muri_importer();

}  // namespace medley::io
