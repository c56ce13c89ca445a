#pragma once
/// Lucid's workloads (ASPLOS 2023): `cluster_log.csv` or `cluster_full_log.csv`, made from Helios and Philly.

#include "io/importers/importer.h"

namespace medley::io {

/// `job_id,user,vc,jobname,gpu_num,cpu_num,state,submit_time,duration`, in the full log also
/// `dataset,model,batchsize,amp,speed,gpu_util,...`, which its publishers assigned. Duration is the column: wall seconds of running, of
/// Philly the sum of attempts. Submission is a date without zone (read as +08:00; of Philly give --time-zone) or a number of seconds. With
/// `vc_config` beside it, the cluster has that many nodes of eight GPUs for each virtual cluster.
const Importer& lucid_importer();

}  // namespace medley::io
