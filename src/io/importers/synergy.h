#pragma once
/// Synergy's deployed traces (OSDI 2022): five columns without a header.

#include "io/importers/importer.h"

namespace medley::io {

/// `job id, model, arrival in seconds, iterations, GPUs`. The file states no time of an iteration: an iteration counts as a second, which
/// is reported of every row.
const Importer& synergy_importer();

}  // namespace medley::io
