#pragma once
/// A plan's report as a table for people and as JSON (fields in docs/formats.md).

#include <string>

#include "core/units.h"
#include "planner/virtual_nodes/planner.h"

namespace medley::cli {

/// `wall` is how long the planner took.
std::string plan_json(const planner::PlanRequest& request, const planner::PlanReport& report, Seconds wall);
/// Requires a feasible report.
std::string plan_text(const planner::PlanRequest& request, const planner::PlanReport& report);

}  // namespace medley::cli
