#pragma once
/// First in, first out, and nothing cleverer: the baseline of every comparison.

#include <memory>

#include "planner/policies/policy_options.h"
#include "sched/policy.h"

namespace medley::planner {

/// Strict order of submission; each job takes the first type of the cluster file with room for its gang; the first that finds none
/// blocks all behind it. Nobody is ever stopped. A decision costs O(log n) a job started.
std::unique_ptr<Policy> make_fifo(PolicyTraits traits, const PolicyOptions& options);

}  // namespace medley::planner
