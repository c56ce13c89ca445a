#include "planner/policies/max_min.h"

#include "planner/policies/grouped_shares.h"
#include "planner/policies/time_share_policy.h"

namespace medley::planner {
namespace {

std::vector<std::vector<double>> shares(const ClusterView& view, std::span<const JobId> jobs, const Homes& homes, LpSolver& solver) {
    return max_min_shares(view, jobs, equal_gains, homes, solver).shares;
}

}  // namespace

std::vector<double> equal_gains(const ClusterView& view, JobId job) {
    std::vector<double> gains(view.type_count(), 0.0);
    for (std::size_t index = 0; index < gains.size(); ++index) {
        const GpuTypeId type(index);
        if (view.could_run_on(job, type)) { gains[index] = view.demand(job, type) / view.job(job).weight; }
    }
    return gains;
}

std::unique_ptr<Policy> make_max_min(PolicyTraits traits, const PolicyOptions&) {
    return std::make_unique<TimeSharePolicy>(std::move(traits), shares);
}

}  // namespace medley::planner
