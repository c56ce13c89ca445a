#pragma once
/// The last step of the round-based policies: candidates in order of preference become one type per job for the coming round.

#include <optional>
#include <span>
#include <vector>

#include "planner/policies/free_gpus.h"
#include "sched/cluster_view.h"
#include "sched/decision.h"

namespace medley::planner {

struct RoundCandidate {
    std::size_t job = 0;  ///< position in the list of jobs
    GpuTypeId type;
};

/// One type per job, by position in the list; empty = waits.
using RoundPlaces = std::vector<std::optional<GpuTypeId>>;

/// Goes through the candidates in order: a job without a place takes the type if all GPUs it demands there are in `free`; else the
/// candidate is passed over, so small gangs pass big ones. Updates `free` and `places`. Requires a place for every job.
void place_greedily(const ClusterView& view, std::span<const JobId> jobs, std::span<const RoundCandidate> candidates, FreeGpus& free,
                    RoundPlaces& places);

/// The changes that bring each job to its target; empty = wait. A job that stays is not named.
std::vector<Change> changes_to(const ClusterView& view, std::span<const JobId> jobs, std::vector<Allocation> targets);

}  // namespace medley::planner
