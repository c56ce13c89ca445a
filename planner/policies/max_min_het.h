#pragma once
/// Max-min fairness that knows how fast each job is on each GPU type (Gavel's heterogeneity-aware LAS; Narayanan et al., OSDI 2020).

#include <memory>
#include <vector>

#include "planner/policies/policy_options.h"
#include "sched/policy.h"

namespace medley::planner {

/// Maximises over all jobs the least (gpus / weight) x effective throughput / throughput under a share proportional to the
/// cluster's mix; max_min_program.h with these gains. Realised in rounds by TimeSharePolicy.
std::unique_ptr<Policy> make_max_min_het(PolicyTraits traits, const PolicyOptions& options);

/// Gavel's gains of one job by type: (s / w) T_j / (sum_k T_k N_k / sum_k N_k), T_j its throughput on its s GPUs of type j; 0 where
/// it cannot run.
std::vector<double> proportional_gains(const ClusterView& view, JobId job);

}  // namespace medley::planner
