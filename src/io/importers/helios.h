#pragma once
/// SenseTime's Helios clusters of 2020 (Hu et al., SC 2021): `cluster_log.csv` of Venus, Earth, Saturn or Uranus.

#include "io/importers/importer.h"

namespace medley::io {

/// Duration is end - start, recomputed from the times. Times have no zone; by default China's (+08:00), where the clusters stand. The
/// virtual cluster is tenant and partition; CPUs and nodes are kept as columns `cpus` and `nodes`. Jobs without GPUs (more than half of
/// the rows) are dropped by default. With `cluster_gpu_number` beside it, capacity follows the daily quota as of `helios-quota`.
const Importer& helios_importer();

/// `cluster_gpu_number.csv`: GPUs that each virtual cluster owned day by day (`date,VC,...,total`). Each virtual cluster is a group of
/// nodes of one type `GPU`, eight GPUs a node where its quotas are multiples of eight, else one; the level changes at midnight.
const Importer& helios_quota_importer();

}  // namespace medley::io
