#pragma once
/// VirtualFlow's scheduler for mixed fleets: Gavel's max-min fairness, topped up with mixed allocations (Or et al., MLSys 2022).

#include <memory>
#include <span>
#include <vector>

#include "planner/policies/grouped_shares.h"
#include "planner/policies/policy_options.h"
#include "planner/solvers/lp_solver.h"
#include "sched/policy.h"

namespace medley::planner {

/// Rounds of 360 s. When the set of jobs or the capacity changed, shares of time x maximise the least of
/// (1 / w) sum_j s_j T_j x_j / mean_j T_j, with w the weight, s_j the GPUs the job takes of type j (a whole pool, in
/// the paper) and T_j its throughput there. Each round, pairs (job, type) are served in order of x / (rounds received since the shares
/// were computed), infinite if none; ties: the cluster file's order of types, then arrival; pairs with x = 0 last, so that nothing
/// idles. A job is on one type, unless `mixed=true` (the default): then idle types are mixed in (mixed_top_up.h).
/// `mixed=false` is the paper's Gavel column. Since every change starts the count of rounds anew, a set that changes every round is served
/// in order of arrival: use max-min-het where that happens.
std::unique_ptr<Policy> make_virtualflow(PolicyTraits traits, const PolicyOptions& options);

/// The program above and its optimum.
MaxMinShares virtualflow_shares(const ClusterView& view, std::span<const JobId> jobs, LpSolver& solver);

}  // namespace medley::planner
