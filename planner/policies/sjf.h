#pragma once
/// Shortest job first.

#include <memory>

#include "planner/policies/policy_options.h"
#include "sched/policy.h"

namespace medley::planner {

/// Waiting jobs in order of their remaining run time on the requested GPUs, ties in order of submission; nobody is stopped. As in the
/// textbook, a shortest job without room blocks the longer ones, so that a large gang is not starved by small ones;
/// `backfill=true` lets them pass. Each takes the first type of the cluster file with room.
std::unique_ptr<Policy> make_sjf(PolicyTraits traits, const PolicyOptions& options);

}  // namespace medley::planner
