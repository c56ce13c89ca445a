#pragma once
/// Traces of Gavel (OSDI 2020) and Shockwave (NSDI 2023): tab-separated lines without a header, of 7, 10 or 12 fields.

#include "io/importers/importer.h"

namespace medley::io {

/// 10 fields, as Gavel's parser reads them: job type, command, folder, flag of the step count, needs data, total steps, scale factor,
/// priority weight, SLO (a multiple of the duration, negative = none), arrival. 7 fields, as its Philly files have: type, command, flag,
/// needs data, total steps, arrival, scale factor. 12 fields are Shockwave's: of the 10, a mode stands after the scale factor, and the
/// expected duration before the arrival. All lines of a file have as many. The id is the line, counted from 0.
///
/// The model is the job type without its "(batch size B)", the global batch B x scale factor: a step of the source is one batch on one
/// worker, counted over all workers, so a job has total / scale factor steps of ours, rounded up. Work in steps needs profiles. Of 12
/// fields, the expected duration is kept as a column, and the mode (`static`, `accordion`, `gns`) as the QOS: that batches grow is not
/// modelled.
const Importer& gavel_importer();

}  // namespace medley::io
