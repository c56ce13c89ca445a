#pragma once
/// Kueue: cluster queues with quotas in cohorts, borrowing and lending, preemption, all-or-nothing admission.

#include <memory>

#include "core/site_rules.h"
#include "planner/policies/policy_options.h"
#include "sched/policy.h"

namespace medley::planner {

/// Follows Kueue (v1beta1, classical preemption), as its documentation describes it. Admission goes in cycles: each takes the head of every
/// queue (highest priority, then oldest), finds a flavor (GPU type) for it, and admits them one after the other: those that need not borrow
/// first, then by priority, then by age. A head that finds none steps aside (best-effort) or blocks its queue (strict) until something
/// ends. Heads may evict others by the queue's preemption rules (quota_preemption.h). A gang is admitted whole, and only when so many GPUs
/// of the type are really free: in Kueue it would hold its quota while its pods wait.
///
/// A job's queue is its `tenant`; a job of no known queue waits for ever. Without queues in the rules there is one, of the whole cluster.
/// Cost: O(kinds of waiting jobs x types x queues) a decision, beyond O(log n) a job that comes or goes.
std::unique_ptr<Policy> make_kueue(PolicyTraits traits, const PolicyOptions& options, const SiteRules& rules);

}  // namespace medley::planner
