#pragma once
/// Batsim's JSON workloads: `{nb_res, jobs: [{id, subtime, res, profile, walltime}], profiles: {NAME: {type, ...}}}`.

#include "io/importers/importer.h"

namespace medley::io {

/// Seconds after the start; a resource counts as a GPU, and the cluster is `nb_res` of them. Duration comes from the job's profile: its
/// delay (`DelayProfile`, `delay`), the sum of a sequence's parts times its repetitions (`SequentialCompositionProfile`, `composed`), or
/// else the `expected_execution_time` that the file states; jobs whose time only a platform model would tell are dropped. A job is cut at
/// its walltime, where Batsim kills it.
const Importer& batsim_importer();

}  // namespace medley::io
