#pragma once
/// Workloads of Pollux (OSDI 2021) and Sia (SOSP 2023): `name,time,application,num_replicas,batch_size`.

#include "io/importers/importer.h"

namespace medley::io {

/// `time` is the submission in seconds; replicas and batch size are the user's request. The model is the application. A job ends after the
/// last epoch of its application, which the artifact keeps in code: the work is the samples of these epochs at the smallest batch (from the
/// artifact's validation runs), in steps of the batch asked for. That larger batches need more epochs, and that batches adapt, is not
/// modelled. A column `category` (adaptive, scale-gpus, rigid) is the QOS.
const Importer& sia_importer();

}  // namespace medley::io
