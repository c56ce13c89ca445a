#pragma once
/// Shortest remaining time first, preemptive.

#include <memory>

#include "planner/policies/policy_options.h"
#include "sched/policy.h"

namespace medley::planner {

/// At every event, the waiting jobs are gone through in order of their remaining time on the requested GPUs (ties: submission).
/// Each takes the first type of the cluster file with room; else the first type on which enough running jobs have strictly more
/// time left than it would have there, and of these the ones with most left are stopped. A job that fits nowhere is passed over. A
/// job stopped by a decision may start elsewhere in the same decision where there is room, but stops nobody.
///
/// Times compared are of work: a start-up under way or to come is not counted, so that two equal jobs never take turns. Optimal for the
/// mean completion time on one machine; gangs and types make it a heuristic. Large gangs may starve.
std::unique_ptr<Policy> make_srtf(PolicyTraits traits, const PolicyOptions& options);

}  // namespace medley::planner
