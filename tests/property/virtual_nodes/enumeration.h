#pragma once
/// The planner's question answered by trying everything: written apart from the planner, shares only the request and the
/// communication model with it.

#include <optional>

#include "planner/virtual_nodes/planner.h"

namespace medley::planner {

/// The least value of the objective (seconds, usd or joules a step) over all plans; empty if there is none.
std::optional<double> enumerate_best(const PlanRequest& request);

}  // namespace medley::planner
