#include "planner/policies/fifo.h"

#include "planner/policies/gang_policy.h"

namespace medley::planner {

std::unique_ptr<Policy> make_fifo(PolicyTraits traits, const PolicyOptions&) {
    const auto all_equal = [](const ClusterView&, JobId) { return Rank{0}; };
    return std::make_unique<GangPolicy>(std::move(traits), GangRules{.rank = all_equal});
}

}  // namespace medley::planner
