#pragma once
/// Alibaba's GPU pods of 2023 (Weng et al., USENIX ATC 2023; cluster-trace-gpu-v2023, "openb"): pods and nodes.

#include "io/importers/importer.h"

namespace medley::io {

/// A record is a pod; nothing links pods into gangs. Duration is deletion - scheduling, a service's lifetime more than a job's work. Pods
/// that were never scheduled are dropped. Those in phase Running still ran: their deletion time is only when they were last seen, until
/// which they count with `Unfinished::kUntilEnd`. `gpu_milli` is of each GPU; `gpu_spec` are the types allowed. The cluster is
/// `openb_node_list_gpu_node`, or `openb_node_list_all_node`, beside the pods. The trace is a snapshot for packing, no load: at most 65.6
/// of 6,212 GPUs are busy at once.
const Importer& openb_importer();

/// The same pods as their authors use them: they arrive in the order of the file, a second apart, and none leaves before the last has come.
/// Reads the variants without times, too.
const Importer& openb_packing_importer();

}  // namespace medley::io
