#pragma once
/// Published traces of spot capacity: instances of a cloud that come and go.

#include "io/importers/importer.h"

namespace medley::io {

/// Bamboo (NSDI 2023): `time,instances` without a header, drawn as corner points; of several lines at one time the last holds. Seconds, or
/// hours in a file whose first time has a decimal point, as one of the published has. The file's name tells the type: g4dn is T4, p2 K80,
/// p3 V100, a GPU an instance; otherwise `spot`.
const Importer& bamboo_importer();

/// SkyPilot (NSDI 2024): `{"metadata": {"gap_seconds": G}, "data": [..]}`, a value each G seconds. In files of one node, 0 is available
/// and 1 is not; in all others the value is the number of instances up. A folder `N-node` in the path tells which; without one, a file
/// with no value above 1 is of one node. `ZONE_TYPE_N.json` names the type and its GPUs an instance. `gap_seconds` is taken as stated,
/// though one published set (2022-10-26) says 600 where its description needs 300.
const Importer& skypilot_importer();

/// Parcae (NSDI 2024): milliseconds and the instances up (`ms,instances`), or `ms,add|remove,node`, or lines of
/// `[ms, "add"|"remove"|..., {"nodes": [..]}]`. The first line tells which. Instances have one V100, or one T4 if the name has g4dn in it.
const Importer& parcae_importer();

/// Sailor (SOSP 2025): `,Timestamp,TYPE_ZONE,...`, GPUs of each type and zone from a Unix time on.
const Importer& sailor_importer();

}  // namespace medley::io
