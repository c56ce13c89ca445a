#pragma once
/// The pools of GPUs that jobs are planned on where only counts matter: one for each type, and one for each site reservation and type.

#include <optional>
#include <vector>

#include "core/site_rules.h"
#include "sched/cluster_view.h"

namespace medley::planner {

/// GPUs of one type, always, or those that a reservation sets aside.
struct SitePool {
    GpuTypeId type;
    const SiteReservation* reservation = nullptr;  ///< null = everything of the type that is not set aside
    int reserved = 0;                              ///< GPUs set aside
};

/// The types in the cluster's order, then the reservations in theirs. A reservation never sets aside more than the cluster has of a type.
std::vector<SitePool> site_pools(const Cluster& cluster, const SiteRules& rules);

/// May this job run inside? It must name the reservation, and its user or account must be listed; nobody may during maintenance.
bool may_use(const JobBelief& job, const SiteReservation& reservation);

}  // namespace medley::planner
