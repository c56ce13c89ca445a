#include "planner/policies/site_pools.h"

#include <algorithm>

namespace medley::planner {
namespace {

int gpus_set_aside(const Cluster& cluster, const SiteReservation& reservation, GpuTypeId type) {
    int gpus = 0;
    for (const NodeGroup& group : cluster.nodes) {
        const bool named = std::find(reservation.nodes.begin(), reservation.nodes.end(), group.name) != reservation.nodes.end();
        if (named && group.gpu == type) { gpus += group.count * group.gpus; }
    }
    for (const ResourceWeight& each : reservation.gpus) {
        if (each.resource == cluster.type(type).name.text()) { gpus += static_cast<int>(each.weight); }
    }
    return gpus;
}

}  // namespace

std::vector<SitePool> site_pools(const Cluster& cluster, const SiteRules& rules) {
    std::vector<SitePool> pools;
    for (std::size_t index = 0; index < cluster.gpu_types.size(); ++index) { pools.push_back({.type = GpuTypeId(index)}); }
    const std::vector<int> capacity = cluster.capacity();
    for (const SiteReservation& reservation : rules.reservations) {
        for (std::size_t index = 0; index < capacity.size(); ++index) {
            const int gpus = std::min(gpus_set_aside(cluster, reservation, GpuTypeId(index)), capacity[index]);
            if (gpus > 0) { pools.push_back({.type = GpuTypeId(index), .reservation = &reservation, .reserved = gpus}); }
        }
    }
    return pools;
}

bool may_use(const JobBelief& job, const SiteReservation& reservation) {
    if (!job.extras || reservation.maintenance || job.extras->reservation != reservation.name) { return false; }
    const auto listed = [](const std::vector<Name>& names, Name name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    return listed(reservation.users, job.extras->user) || listed(reservation.accounts, job.extras->tenant);
}

}  // namespace medley::planner
