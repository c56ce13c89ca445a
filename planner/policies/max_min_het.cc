#include "planner/policies/max_min_het.h"

#include "planner/policies/grouped_shares.h"
#include "planner/policies/time_share_policy.h"

namespace medley::planner {
namespace {

std::vector<std::vector<double>> shares(const ClusterView& view, std::span<const JobId> jobs, const Homes& homes, LpSolver& solver) {
    return max_min_shares(view, jobs, proportional_gains, homes, solver).shares;
}

}  // namespace

std::vector<double> proportional_gains(const ClusterView& view, JobId job) {
    std::vector<double> gains = gang_speeds(view, job);
    double proportional = 0;
    double gpus = 0;
    for (std::size_t index = 0; index < gains.size(); ++index) {
        const int capacity = view.capacity(GpuTypeId(index));
        proportional += gains[index] * capacity;
        gpus += capacity;
    }
    if (proportional <= 0) { return gains; }
    for (std::size_t index = 0; index < gains.size(); ++index) {
        gains[index] *= view.demand(job, GpuTypeId(index)) / view.job(job).weight * gpus / proportional;
    }
    return gains;
}

std::unique_ptr<Policy> make_max_min_het(PolicyTraits traits, const PolicyOptions&) {
    return std::make_unique<TimeSharePolicy>(std::move(traits), shares);
}

}  // namespace medley::planner
