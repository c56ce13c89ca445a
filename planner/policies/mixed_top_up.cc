#include "planner/policies/mixed_top_up.h"

#include <algorithm>
#include <utility>

#include "planner/virtual_nodes/planner.h"

namespace medley::planner {
namespace {

Allocation allocation_of(const Cluster& cluster, std::shared_ptr<const Plan> plan) {
    Allocation allocation;
    for (const ReplicaGroup& group : plan->groups) {
        allocation.grants.push_back({.type = cluster.find(group.gpu_type.text()).value(), .gpus = group.gpus()});
    }
    std::sort(allocation.grants.begin(), allocation.grants.end(), [](const Grant& a, const Grant& b) { return a.type < b.type; });
    allocation.plan = std::move(plan);
    return allocation;
}

int most_extra(const JobBelief& job, int own, int idle) {
    if (job.gpus == kWholePool) { return idle; }
    return std::clamp(job.max_gpus - own, 0, idle);
}

}  // namespace

std::vector<Allocation> MixedTopUp::apply(const ClusterView& view, std::span<const Placed> placed, std::vector<int> idle) {
    std::vector<Allocation> allocations;
    for (const Placed& each : placed) {
        std::optional<Allocation> mix = best_mix(view, each, idle);
        if (mix) {
            for (const Grant& grant : mix->grants) { idle[grant.type.index()] = 0; }
        }
        allocations.push_back(mix ? std::move(*mix) : Allocation::of(each.type, each.gpus));
    }
    return allocations;
}

std::optional<Allocation> MixedTopUp::best_mix(const ClusterView& view, const Placed& placed, const std::vector<int>& idle) {
    double best_speed = view.speed(placed.job, placed.type, placed.gpus).work_per_s;
    std::shared_ptr<const Plan> best;
    for (std::size_t index = 0; index < idle.size(); ++index) {
        const GpuTypeId extra(index);
        const int extra_gpus = most_extra(view.job(placed.job), placed.gpus, idle[index]);
        if (extra_gpus == 0 || extra == placed.type || !view.job(placed.job).allows(extra)) { continue; }
        std::shared_ptr<const Plan> plan = plan_for(view, placed, extra, extra_gpus);
        if (!plan) { continue; }
        const double speed = view.speed(placed.job, *plan).work_per_s;
        if (speed <= best_speed) { continue; }
        best_speed = speed;
        best = std::move(plan);
    }
    if (!best) { return std::nullopt; }
    return allocation_of(view.cluster(), std::move(best));
}

std::shared_ptr<const Plan> MixedTopUp::plan_for(const ClusterView& view, const Placed& own, GpuTypeId extra, int extra_gpus) {
    const JobBelief& job = view.job(own.job);
    const Profile* profile = view.profile(own.job);
    if (profile == nullptr || job.batch_size <= 0) { return nullptr; }
    const Key key{job.model, job.batch_size, own.type, own.gpus, extra, extra_gpus};
    const auto known = plans_.find(key);
    if (known != plans_.end()) { return known->second; }
    const auto offer = [&](GpuTypeId type, int gpus) { return OfferedGpus{.type = view.cluster().type(type), .gpus = gpus}; };
    const PlanOutcome outcome = best_plan({.profile = profile,
                                           .offered = {offer(own.type, own.gpus), offer(extra, extra_gpus)},
                                           .global_batch = Samples{job.batch_size},
                                           .batch_rule = BatchRule::kPowerOfTwo,
                                           .every_type = true});
    return plans_[key] = outcome.best ? std::make_shared<const Plan>(outcome.best->plan) : nullptr;
}

}  // namespace medley::planner
