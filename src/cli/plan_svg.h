#pragma once
/// A plan as a picture (SVG): who computes what, and how long it takes.

#include <string>

#include "planner/virtual_nodes/planner.h"

namespace medley::cli {

/// One bar for each kind of GPU, its virtual nodes one after another, each as long as the profile says, then the communication, then
/// what is left of the step as waiting. Text is escaped; colours can be told apart without seeing hues. Requires a plan
/// that `request` led to.
std::string plan_svg(const planner::PlanRequest& request, const planner::PlannedJob& job);

}  // namespace medley::cli
