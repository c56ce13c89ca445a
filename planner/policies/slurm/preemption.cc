#include "planner/policies/slurm/preemption.h"

#include <algorithm>

namespace medley::planner {
namespace {

// Adds (or takes back) the GPUs of one job on the nodes that may be used.
void give(FreeNodes& free, const Placement& placement, int sign) {
    for (const NodeShare& share : placement) {
        int& gpus = free.gpus[share.node.index()];
        if (gpus >= 0) { gpus += sign * share.gpus; }
    }
}

bool overlaps(const Placement& a, const Placement& b) {
    return std::any_of(a.begin(), a.end(), [&](const NodeShare& share) {
        return std::any_of(b.begin(), b.end(), [&](const NodeShare& other) { return other.node == share.node; });
    });
}

bool has_room(const FreeNodes& free, const Placement& placement) {
    return std::all_of(placement.begin(), placement.end(),
                       [&](const NodeShare& share) { return free.gpus[share.node.index()] >= share.gpus; });
}

}  // namespace

bool may_preempt(const SlurmJob& job, const SlurmJob& victim, const PreemptionRules& rules, SimTime now) {
    const QosRule* qos = victim.subject.qos;
    const Seconds exempt = qos != nullptr ? std::max(rules.exempt, qos->exempt) : rules.exempt;
    if (victim.start >= now || now - victim.start < to_sim_time(exempt)) { return false; }
    switch (rules.by) {
        case PreemptionCriterion::kNone: return false;
        case PreemptionCriterion::kPartition: return victim.tier < job.tier;
        case PreemptionCriterion::kQos: {
            if (qos == nullptr || job.subject.qos == nullptr) { return false; }
            const std::vector<Name>& list = job.subject.qos->preempts;
            return std::find(list.begin(), list.end(), qos->name) != list.end();
        }
    }
    return false;
}

std::optional<PreemptedRoom> preempt_for(const NodeMap& map, GpuTypeId type, const GangShape& shape, FreeNodes free,
                                         std::vector<SlurmJob*> candidates) {
    const auto weaker = [](const SlurmJob* a, const SlurmJob* b) {
        if (a->priority != b->priority) { return a->priority < b->priority; }
        return a->start != b->start ? a->start > b->start : a->id > b->id;
    };
    std::sort(candidates.begin(), candidates.end(), weaker);
    std::optional<Placement> found;
    std::vector<SlurmJob*> stopped;
    for (SlurmJob* candidate : candidates) {
        if (candidate->type != type) { continue; }
        give(free, *map.placement(candidate->id), 1);
        stopped.push_back(candidate);
        found = choose_nodes(map, type, shape, free);
        if (found) { break; }
    }
    if (!found) { return std::nullopt; }
    PreemptedRoom room{.type = type, .placement = *found, .victims = {}};
    for (auto victim = stopped.rbegin(); victim != stopped.rend(); ++victim) {
        const Placement& held = *map.placement((*victim)->id);
        give(free, held, -1);
        if (overlaps(held, room.placement) && !has_room(free, room.placement)) {
            give(free, held, 1);
            room.victims.push_back(*victim);
        }
    }
    return room;
}

}  // namespace medley::planner
