#include "planner/policies/priority.h"

#include "planner/policies/gang_policy.h"

namespace medley::planner {
namespace {

Rank by_priority(const ClusterView& view, JobId job) { return rank_of(-view.job(job).priority); }
Rank by_priority_anywhere(const ClusterView& view, JobId job, GpuTypeId) { return by_priority(view, job); }

}  // namespace

std::unique_ptr<Policy> make_priority(PolicyTraits traits, const PolicyOptions& options) {
    GangRules rules{.rank = by_priority};
    if (options.is_true("preempt")) { rules.rank_on = by_priority_anywhere; }
    return std::make_unique<GangPolicy>(std::move(traits), rules);
}

}  // namespace medley::planner
