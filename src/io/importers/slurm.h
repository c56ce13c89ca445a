#pragma once
/// Slurm's accounting as `sacct --parsable2` prints it.

#include "io/importers/importer.h"

namespace medley::io {

/// Columns by name, in any order, as many as there are (docs/replay-slurm.md names those that help); JobID must be among them.
///
/// `duration_s` is Elapsed: wall seconds from start to end without suspensions. `gpus` is AllocTRES `gres/gpu`, else the sum of its typed
/// entries, else ReqTRES, else a step's AllocTRES; where a file names no GPUs at all and a cluster is given whose groups are named by
/// host lists,
/// all GPUs of the nodes a job ran on. The type it ran on comes from the cluster by node, else from AllocTRES; a type asked for (ReqTRES,
/// SubmitLine) becomes the one allowed type. Submission is Submit; jobs held back (by a start time or a dependency that SubmitLine does
/// not tell) are submitted when they became Eligible. Times without a zone are UTC unless the options say otherwise.
///
/// Rows of steps give nothing but what their job lacks. Rows of one JobID (`sacct -D`) are attempts of one job.
const Importer& slurm_importer();

}  // namespace medley::io
