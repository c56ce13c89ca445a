#pragma once
/// Extracts of public traces as published with mystous/gpu_scheduler: `job_id,arrival_s,service_sec,gpu_count`.

#include "io/importers/importer.h"

namespace medley::io {

/// Of Helios's Venus and of a sample of PAI's tasks. `arrival_s` counts from the first; `service_sec` is end - start in wall seconds, cut
/// at
/// 172,800 s by its publisher. Of PAI, `arrival_s` is the start of the task, and `gpu_count` counts every share of a GPU as a whole one.
const Importer& arrival_service_importer();

}  // namespace medley::io
