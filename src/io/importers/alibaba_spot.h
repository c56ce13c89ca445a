#pragma once
/// Alibaba's spot GPUs of 2026 (cluster-trace-v2026-spot-gpu): jobs of two priority classes and the nodes.

#include "io/importers/importer.h"

namespace medley::io {

/// `job_info_df`: a record is a job of worker_num workers with gpu_request GPUs each, parts included, on the type it asks for, which is
/// both the one allowed and the reference. Seconds after the first job; duration in seconds as stated: no end state and no eviction is
/// recorded. `HP` jobs have priority 2, `Spot` jobs 1, and the class is the QOS; the organization is the tenant. The cluster is
/// `node_info_df` beside it. Taken at face value, A10 is asked for more than there is (133 %).
const Importer& alibaba_spot_importer();

}  // namespace medley::io
