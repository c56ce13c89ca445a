#pragma once
/// Slurm as sites run it: multifactor priorities, a main scheduler, a backfill scheduler, limits, reservations and preemption.

#include <memory>

#include "core/site_rules.h"
#include "planner/policies/policy_options.h"
#include "sched/policy.h"

namespace medley::planner {

/// Follows Slurm 22.05 with priority/multifactor, sched/backfill and select/cons_tres, as its documentation describes them:
/// - priorities by job_priority.h, worked out at submission and at each calculation (slurm_books.h);
/// - main scheduler: a new job is tried at once if no waiting job of its partition goes before it; passes after submissions and ends look
///   at the first `main_depth` jobs, those at `main_interval` at all. The first job of a partition without room blocks the partition, and
///   its nodes, for the rest of the pass; one held back by a limit does not;
/// - backfill scheduler: each `interval`, in the queue's order: a job that can start now without delaying those before it starts; others
///   are promised whole nodes at the first time that the running jobs' wall times allow (backfill_plan.h);
/// - a gang lies on nodes (node_map.h); the simulated cluster itself counts by type only.
/// A pass with nothing new to decide is left out: it could change nothing. Preempted jobs keep the work that their checkpoints saved;
/// `cancel` is replayed as `requeue`, since a trace has no user who would submit the job again.
///
/// Options: backfill=false leaves the backfill scheduler out. Cost: a pass O(jobs looked at x nodes).
std::unique_ptr<Policy> make_slurm_multifactor(PolicyTraits traits, const PolicyOptions& options, const SiteRules& rules);

}  // namespace medley::planner
