#pragma once
/// Whom a job may stop to make room for itself, as Slurm's preempt/qos and preempt/partition_prio decide it.

#include <optional>
#include <vector>

#include "planner/policies/slurm/slurm_jobs.h"

namespace medley::planner {

struct PreemptedRoom {
    GpuTypeId type;
    Placement placement;
    std::vector<SlurmJob*> victims;
};

/// May `job` stop `victim` now? By QOS: the victim's QOS is in the list of the job's. By partition: its tier is lower. A job that has
/// run for less than its exempt time, or that starts at this moment, may not be stopped.
bool may_preempt(const SlurmJob& job, const SlurmJob& victim, const PreemptionRules& rules, SimTime now);

/// Room on `type` within `free` (GPUs of nodes that the job may use; elsewhere below 0), made by stopping victims of the lowest priority
/// first, those launched last among equals; then those are spared again without whom there is room all the same. No value if all together
/// are not enough. Cost: O(victims x nodes).
std::optional<PreemptedRoom> preempt_for(const NodeMap& map, GpuTypeId type, const GangShape& shape, FreeNodes free,
                                         std::vector<SlurmJob*> candidates);

}  // namespace medley::planner
