#pragma once
/// Shanghai AI Laboratory's clusters of 2023 (Hu et al., NSDI 2024): the job logs of Seren and Kalos.

#include "io/importers/importer.h"

namespace medley::io {

/// Duration is end - start, recomputed: Kalos's own column is end - submission, queue included, against its description. Times carry their
/// offset (+08:00 in Seren, +00:00 in Kalos). Both clusters are A100-SXM 80 GB alone; the logs name no type and no node. The kind of work
/// is kept as column `type`, CPUs and nodes as `cpus` and `nodes`. Many jobs without GPUs.
const Importer& acme_importer();

}  // namespace medley::io
