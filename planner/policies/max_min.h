#pragma once
/// Max-min fairness that does not know that GPU types differ (Gavel's agnostic LAS).

#include <memory>
#include <vector>

#include "planner/policies/policy_options.h"
#include "sched/policy.h"

namespace medley::planner {

/// Maximises the least gpus x (share of time with GPUs) / weight over all jobs; max_min_program.h with these gains. Realised in rounds by
/// TimeSharePolicy. To this policy all types are alike, so a job stays where it is even where that is slow; Gavel's own solver
/// happens to spread every job over all types.
std::unique_ptr<Policy> make_max_min(PolicyTraits traits, const PolicyOptions& options);

/// gpus / weight on every type where the job can run, 0 elsewhere.
std::vector<double> equal_gains(const ClusterView& view, JobId job);

}  // namespace medley::planner
