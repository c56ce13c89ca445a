#pragma once
/// Gavel's throughput files (OSDI 2020): JSON, worker type -> job -> other job -> rate.

#include <string>
#include <string_view>

#include "io/profile_formats/profile_format.h"

namespace medley::io {

/// A job is the text of ('TYPE (batch size N)', GPUs); the entry `null` is its rate alone, in steps a second summed over its GPUs, one
/// step being one batch of N on one GPU. So one GPU gives a point of 1 / rate seconds, and each number of GPUs a rate of N x rate samples a
/// second at a global batch of N x GPUs. Types without a batch count as batches of one (reported). Dropped: rates of 0 (the job does
/// not run there), pairs of jobs that share GPUs, and worker types `..._unconsolidated`. Nothing is smoothed.
ProfileImport import_gavel_profiles(std::string_view text, const std::string& file);

/// The row of the table.
const ProfileFormat& gavel_profiles();

}  // namespace medley::io
