#pragma once
/// Alibaba's PAI cluster of 2020 (Weng et al., NSDI 2022; cluster-trace-gpu-v2020): a folder with its tables, which have no header lines.

#include "io/importers/importer.h"

namespace medley::io {

/// A record is a job: its tasks (`pai_task_table`, needed) run together. GPUs are the sum over tasks of inst_num x plan_gpu, in percent of
/// a GPU for each instance; shares of a GPU are kept as `gpu_fraction`. Submission is the job's start in `pai_job_table`, or the first
/// start of a task where that is missing. Duration is first start to last end of the job's GPU instances (`pai_instance_table`), or of its
/// GPU tasks where no instance is listed: no waiting in it. The type that a task was given is the reference type; the types that its user
/// asked for (`pai_group_tag_table`) are those allowed. `pai_machine_spec` is the cluster. Times are seconds with a constant subtracted:
/// time of day and weekday are right in UTC+8, the date is not.
const Importer& pai2020_importer();

}  // namespace medley::io
