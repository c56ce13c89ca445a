#include "planner/policies/isolated.h"

#include <numeric>

#include "planner/policies/time_share_policy.h"

namespace medley::planner {
namespace {

std::vector<double> equal_part(const ClusterView& view, JobId job, std::size_t jobs) {
    std::vector<double> shares(view.type_count(), 0.0);
    for (std::size_t index = 0; index < shares.size(); ++index) {
        const GpuTypeId type(index);
        if (!view.could_run_on(job, type)) { continue; }
        shares[index] = view.capacity(type) / (static_cast<double>(jobs) * view.demand(job, type));
    }
    const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
    if (total <= 1) { return shares; }
    for (double& share : shares) { share /= total; }
    return shares;
}

std::vector<std::vector<double>> equal_parts(const ClusterView& view, std::span<const JobId> jobs, const Homes&, LpSolver&) {
    std::vector<std::vector<double>> shares;
    for (const JobId job : jobs) { shares.push_back(equal_part(view, job, jobs.size())); }
    return shares;
}

}  // namespace

std::unique_ptr<Policy> make_isolated(PolicyTraits traits, const PolicyOptions&) {
    return std::make_unique<TimeSharePolicy>(std::move(traits), equal_parts);
}

}  // namespace medley::planner
