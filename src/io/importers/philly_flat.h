#pragma once
/// Philly as the Pollux and Sia artifacts publish it: `timestamp,duration,num_gpus,gpu_time,cluster`.

#include "io/importers/importer.h"

namespace medley::io {

/// Duration is the sum of a job's attempts, in seconds; jobs without attempts or with missing times, and every state, were dropped by its
/// publishers. `timestamp` is the submission by a wall clock without zone, read as the original's (US Pacific). `cluster`, the virtual
/// cluster, is the tenant. There are no ids: a job's is its row, counted from 1.
const Importer& philly_flat_importer();

}  // namespace medley::io
