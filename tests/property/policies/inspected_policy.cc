#include "inspected_policy.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace medley::test {

Decision InspectedPolicy::decide(const ClusterView& view) {
    Decision decision = policy_->decide(view);
    inspect(view, decision);
    return decision;
}

void InspectedPolicy::inspect(const ClusterView& view, const Decision& decision) {
    std::map<JobId, const Allocation*> held;
    for (const JobId job : view.present()) { held[job] = &view.held(job); }
    std::vector<JobId> named;
    for (const Change& change : decision.changes) {
        if (!held.contains(change.job)) { note(view, fmt::format("names job {}, which is not there", change.job.value)); }
        named.push_back(change.job);
        inspect_change(view, change);
        held[change.job] = &change.target;
    }
    std::sort(named.begin(), named.end());
    if (std::adjacent_find(named.begin(), named.end()) != named.end()) { note(view, "names a job twice"); }

    std::vector<int> free;
    for (std::size_t type = 0; type < view.type_count(); ++type) { free.push_back(view.capacity(GpuTypeId(type))); }
    std::vector<JobId> waiting;
    for (const auto& [job, allocation] : held) {
        for (const Grant& grant : allocation->grants) { free[grant.type.index()] -= grant.gpus; }
        if (allocation->empty()) { waiting.push_back(job); }
    }
    if (std::any_of(free.begin(), free.end(), [](int gpus) { return gpus < 0; })) { note(view, "hands out more GPUs than there are"); }
    if (promises_.work_conserving) { inspect_what_waits(view, free, waiting); }
}

void InspectedPolicy::inspect_change(const ClusterView& view, const Change& change) {
    const Allocation& target = change.target;
    if (promises_.never_stops && !view.held(change.job).empty()) { note(view, fmt::format("touches job {}", change.job.value)); }
    for (const Grant& grant : target.grants) {
        if (!view.job(change.job).allows(grant.type)) { note(view, fmt::format("puts job {} where it may not be", change.job.value)); }
        if (grant.gpus < 1) { note(view, "grants no GPUs"); }
    }
    if (target.grants.size() > 1 && !target.plan) { note(view, "mixes types without a plan"); }
    if (target.same_gpus(view.held(change.job)) && !target.plan) { note(view, "changes nothing"); }
    if (!promises_.rigid || target.empty() || target.plan) { return; }
    if (target.gpus() != view.demand(change.job, target.grants.front().type)) {
        note(view, fmt::format("cuts the gang of {}", change.job.value));
    }
}

void InspectedPolicy::inspect_what_waits(const ClusterView& view, const std::vector<int>& free, const std::vector<JobId>& waiting) {
    for (const JobId job : waiting) {
        for (std::size_t type = 0; type < free.size(); ++type) {
            if (!view.could_run_on(job, GpuTypeId(type)) || view.demand(job, GpuTypeId(type)) > free[type]) { continue; }
            note(view, fmt::format("job {} waits beside {} free GPUs of type {}", job.value, free[type], type));
        }
    }
}

void InspectedPolicy::note(const ClusterView& view, const std::string& what) {
    violations_.push_back(fmt::format("at {} s: {}", to_seconds(view.now()).value, what));
}

}  // namespace medley::test
