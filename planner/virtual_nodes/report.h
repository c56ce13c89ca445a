#pragma once
/// What else is worth knowing about a plan: how good single types and single sizes are, what one more GPU is worth, what binds.

#include "planner/virtual_nodes/planner.h"
#include "planner/virtual_nodes/problem_builder.h"

namespace medley::planner {

/// The best plan on one of the offered types.
PlanOutcome best_on_one_type(const PlanRequest& request, TableCache& cache);

/// The best plan with virtual nodes of one size; a list of virtual nodes in the request does not bind it.
PlanOutcome best_of_equal_size(const PlanRequest& request, TableCache& cache);

/// One more GPU of each type, in the order offered. Requires the request's best plan.
std::vector<MarginalValue> marginal_values(const PlanRequest& request, const PlannedJob& best, TableCache& cache);

/// The constraint whose removal gains most (see PlanReport); of equal gains, the first in the order listed there.
std::string binding_constraint(const PlanRequest& request, const PlannedJob& best, const std::vector<MarginalValue>& marginals,
                               TableCache& cache);

}  // namespace medley::planner
