#pragma once
/// From a problem to its best choice, and from that to a plan with its cost.

#include "planner/virtual_nodes/planner.h"
#include "planner/virtual_nodes/problem_builder.h"

namespace medley::planner {

/// One question from start to end: the best plan with a value of at most `limit`, with its cost, or the reason why there is none.
/// Requires a validated request.
PlanOutcome answer(const PlanRequest& request, const Variant& variant, TableCache& cache, double limit = kNoValue);

/// Only the value of the best choice, kNoValue if there is none of at most `limit`. Also answers relaxations, which have no plan.
double best_value(const PlanRequest& request, const Variant& variant, TableCache& cache, double limit = kNoValue);

/// Prices and powers of what is offered, for `evaluate`.
std::vector<GpuType> types_of(const PlanRequest& request);

/// The objective's value of a plan with this cost, smaller is better: seconds, usd or joules a step.
double value_of(Objective objective, const PlanCost& cost, Samples global_batch);

}  // namespace medley::planner
