#pragma once
/// Tiresias's workloads (NSDI 2019), in both layouts that its simulator reads.

#include "io/importers/importer.h"

namespace medley::io {

/// `job_id,num_gpu,submit_time,iterations,model_name,duration,interval`, or the older one with `model_size,aggr_interval`. Seconds;
/// duration is running alone on the requested GPUs. With `cluster_spec` beside it (`num_switch,num_node_p_switch,num_gpu_p_node,...`), the
/// cluster is that: nodes of one type `GPU` under racks, links not known.
const Importer& tiresias_importer();

}  // namespace medley::io
