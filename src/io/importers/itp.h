#pragma once
/// Microsoft's ITP clusters of 2021 as published with ElasticFlow (ASPLOS 2023): `job_id,submission_time,duration,num_gpu`.

#include "io/importers/importer.h"

namespace medley::io {

/// Seconds after a common start, wall seconds of running (jobs under 600 s were removed by its publishers), whole GPUs; the source knows
/// no models, users, states or GPU types. Other columns of the published files (the testbed's `model_name`, ...) are refused, because
/// their values were made up.
const Importer& itp_importer();

}  // namespace medley::io
