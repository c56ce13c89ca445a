#pragma once
/// Every job gets an equal part of every GPU type.

#include <memory>

#include "planner/policies/policy_options.h"
#include "sched/policy.h"

namespace medley::planner {

/// Gavel's isolated policy: with M jobs, a job that takes s GPUs of a type with N spends the share N / (M s) of its time there; where
/// these add up to more than 1 they are scaled down to it. Realised in rounds by TimeSharePolicy. Cost: O(jobs x types).
std::unique_ptr<Policy> make_isolated(PolicyTraits traits, const PolicyOptions& options);

}  // namespace medley::planner
