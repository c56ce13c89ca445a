#pragma once
/// Collected rates of single GPUs as CSV: `gpu,model,local_batch_size,precision,samples_per_sec,source`.

#include <string>
#include <string_view>

#include "io/profile_formats/profile_format.h"

namespace medley::io {

/// Rates of one publisher and precision make up one profile, since others' differ by tens of percent on the same GPU and must not meet in
/// one ratio. The publisher is what stands in `source` before the first ':' or ' ', up to '@'. A model of which several
/// publishers or precisions remain gets one profile for each, named "MODEL (PRECISION, PUBLISHER)"; else the name is the model's.
/// Rows without a batch and repeated ones (the first stays) are dropped, as are those that `options` leave out. `memory_gb` is not used:
/// it is what the whole process held, not one virtual node.
ProfileImport import_throughputs(std::string_view text, const std::string& file, const ProfileImportOptions& options);

/// The row of the table.
const ProfileFormat& throughput_profiles();

}  // namespace medley::io
