#pragma once
/// The Standard Workload Format of the Parallel Workloads Archive (version 2.2): 18 numbers a line, `;` before comments, -1 = not known.

#include "io/importers/importer.h"

namespace medley::io {

/// Seconds after the header's UnixStartTime; times from the year 2000 on in a file without that header are taken for Unix time. Duration is
/// field 4, wall seconds of running. The standard knows processors, no GPUs: a processor counts as a GPU, unless there is a field 19 that
/// is a number (Frontier's GPUs used). Field 5, or 8 where 5 is not known, gives the processors; 9 the declared limit; 11 the state; 12
/// the user;
/// 13 the tenant; 15 the QOS; 16 the partition; 17 the job that must finish first. Lines of state 2 to 4 are parts of a job that has a
/// line of its own, and are dropped.
const Importer& swf_importer();

}  // namespace medley::io
