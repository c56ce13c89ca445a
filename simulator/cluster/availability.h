#pragma once
/// Capacity that comes and goes: spot GPUs, repairs, failures, quotas.

#include <vector>

#include "core/cluster.h"
#include "core/ids.h"
#include "core/units.h"

namespace medley::simulator {

/// `delta` GPUs of one type more (or less) from `time` on.
struct CapacityChange {
    SimTime time;
    GpuTypeId type;
    int delta = 0;
};

/// The changes ordered by (time, type), with those of one moment and type added up. Throws medley::Error if a type
/// is unknown, a time negative, or a type's capacity would fall below zero.
std::vector<CapacityChange> in_order(std::vector<CapacityChange> changes, const Cluster& cluster);

}  // namespace medley::simulator
