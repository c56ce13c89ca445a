#pragma once
/// Microsoft's Philly cluster of 2017 (Jeon et al., USENIX ATC 2019): `cluster_job_log`, one JSON array of jobs with their attempts.

#include "io/importers/importer.h"

namespace medley::io {

/// A record is a job. Its duration is the sum of its attempts that have a start and an end; with `Retries::kSpan` the time from the first
/// start to the last end, as in the authors' notebook. GPUs are those of the longest such attempt. Times are a wall clock without zone, by
/// default US Pacific with daylight saving (`PST8PDT,M3.2.0,M11.1.0`), as the utilisation files label the same clock. Missing times are
/// null, "" or "None". A job whose last attempt has a start and no end still ran when the log was taken. The virtual cluster is the tenant.
/// With `cluster_machine_list` beside it, the cluster is that of the list, a type for each memory size; a machine of which a higher GPU was
/// used than listed counts as many as were used.
const Importer& philly_importer();

}  // namespace medley::io
