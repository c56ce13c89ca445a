#pragma once
/// Whom a workload may evict to get its quota, as Kueue's preemption decides it.

#include <vector>

#include "core/units.h"
#include "planner/policies/kueue/cohort_quotas.h"

namespace medley::planner {

/// A job of a cluster queue.
struct Workload {
    JobId job;
    QueueId queue;
    double priority = 0;
    SimTime created;  ///< older goes first among equals
    GpuTypeId type;   ///< admitted: its flavor
    std::int64_t gpus = 0;
    SimTime admitted;  ///< since when it has its quota
};

/// The fewest of the running workloads whose eviction makes room for `gpus` GPUs of a type: those of other queues first (they must borrow,
/// and the queue's `reclaim` or `borrow` rule allow it), then the lowest priority, then the latest admitted. Without `borrow`, others are
/// evicted only for use within nominal quota. Empty if all together are not enough.
/// `quotas` is the same afterwards. Cost: O(candidates x queues of the cohort).
std::vector<Workload> workloads_to_evict(CohortQuotas& quotas, const Workload& workload, GpuTypeId type, std::vector<Workload> running);

}  // namespace medley::planner
