#include "planner/policies/round_placement.h"

#include <utility>

namespace medley::planner {

void place_greedily(const ClusterView& view, std::span<const JobId> jobs, std::span<const RoundCandidate> candidates, FreeGpus& free,
                    RoundPlaces& places) {
    for (const RoundCandidate& candidate : candidates) {
        const JobId job = jobs[candidate.job];
        if (places[candidate.job] || !view.could_run_on(job, candidate.type)) { continue; }
        const int gpus = view.demand(job, candidate.type);
        if (gpus > free.of(candidate.type)) { continue; }
        free.take(candidate.type, gpus);
        places[candidate.job] = candidate.type;
    }
}

std::vector<Change> changes_to(const ClusterView& view, std::span<const JobId> jobs, std::vector<Allocation> targets) {
    std::vector<Change> changes;
    for (std::size_t index = 0; index < jobs.size(); ++index) {
        const Allocation& held = view.held(jobs[index]);
        const bool same_plan = held.plan == targets[index].plan || (held.plan && targets[index].plan && *held.plan == *targets[index].plan);
        if (held.same_gpus(targets[index]) && same_plan) { continue; }
        changes.push_back({.job = jobs[index], .target = std::move(targets[index])});
    }
    return changes;
}

}  // namespace medley::planner
