#pragma once
/// Microsoft's ITP clusters of 2021 as published with ElasticFlow (ASPLOS 2023): `job_id,submission_time,duration,num_gpu`.

#include <string>
#include <string_view>

#include "io/importers/importer.h"

namespace medley::io {

/// Seconds after a common start, wall seconds of running (jobs under 600 s were removed by its publishers), whole GPUs; the source knows
/// no models, users, states or GPU types. Rows without GPUs, without a duration or with an id seen before are dropped and reported.
/// Other columns of the published files (the testbed's `model_name`, ...) are refused, because their values were made up.
Import import_itp(std::string_view text, const std::string& file, const ImportOptions& options);

/// The row of the table.
const Importer& itp_importer();

}  // namespace medley::io
