#include "planner/policies/sjf.h"

#include "planner/policies/gang_policy.h"
#include "planner/policies/remaining_time.h"

namespace medley::planner {

std::unique_ptr<Policy> make_sjf(PolicyTraits traits, const PolicyOptions& options) {
    const auto remaining = [](const ClusterView& view, JobId job) { return to_sim_time(remaining_time(view, job)).value; };
    return std::make_unique<GangPolicy>(std::move(traits), GangRules{.rank = remaining, .blocking = !options.is_true("backfill")});
}

}  // namespace medley::planner
