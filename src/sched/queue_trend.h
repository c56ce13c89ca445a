#pragma once
/// Does the queue still grow? A cluster that cannot keep up has no steady state, and means over its jobs say how long the trace was
/// rather than how good the policy is.

#include <span>

#include "core/units.h"

namespace medley {

/// GPUs wanted by waiting jobs, as an arriving job finds them.
struct QueuePoint {
    SimTime time;
    double wanted_gpus = 0;
};

/// True if, over the second half of the arrivals, the least-squares line through the queue rises by more than a third of the queue's
/// mean, and at least one whole cluster's worth of GPUs is wanted at the last arrival. (A queue that grows steadily from nothing rises
/// by two thirds of its mean; one that only fluctuates rises by little.) False for fewer than 20 arrivals or arrivals all at one time.
/// Requires points in order of time. Cost: O(points).
bool queue_grows(std::span<const QueuePoint> arrivals, double cluster_gpus);

}  // namespace medley
