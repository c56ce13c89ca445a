#pragma once
/// Kueue's quotas: what cluster queues have, use, borrow from their cohort and lend to it.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/cluster.h"
#include "core/ids.h"
#include "core/site_rules.h"

namespace medley::planner {

using QueueId = Id<struct QueueTag>;

/// Of nominal quota, what exceeds the lending limit is guaranteed: nobody else uses it. The rest of all queues of a cohort is one pool: a
/// queue takes from it what it uses beyond its guaranteed part, up to nominal plus its borrowing limit. Cost: O(queues of the cohort) a
/// question. Thread rule: one thread.
class CohortQuotas {
 public:
    /// Without queues there is one, of everything: only what is really free limits it. Requires rules that fit the cluster.
    CohortQuotas(const Cluster& cluster, const SiteRules& rules);

    std::size_t size() const { return queues_.size(); }
    std::optional<QueueId> find(Name name) const;
    const QueueRule& rule(QueueId id) const { return queues_[id.index()].rule; }
    bool same_cohort(QueueId a, QueueId b) const;
    /// The types for which the queue has a quota, in the order in which they are tried.
    const std::vector<GpuTypeId>& flavors(QueueId id) const { return queues_[id.index()].flavors; }

    void add(QueueId id, GpuTypeId type, std::int64_t gpus) { queues_[id.index()].used[type.index()] += gpus; }
    std::int64_t used(QueueId id, GpuTypeId type) const { return queues_[id.index()].used[type.index()]; }
    std::int64_t nominal(QueueId id, GpuTypeId type) const { return quota(id, type).nominal; }

    /// Is there quota for so many GPUs more, with borrowing or within nominal quota only?
    bool fits(QueueId id, GpuTypeId type, std::int64_t gpus, bool may_borrow) const;
    /// Would it use more than its nominal quota with so many GPUs more?
    bool would_borrow(QueueId id, GpuTypeId type, std::int64_t gpus) const;
    bool borrows(QueueId id, GpuTypeId type) const { return would_borrow(id, type, 0); }
    /// Could so many GPUs ever be had with borrowing, if all others used nothing?
    bool within_reach(QueueId id, GpuTypeId type, std::int64_t gpus) const;

 private:
    struct Queue {
        QueueRule rule;
        std::vector<GpuTypeId> flavors;
        std::vector<QueueQuota> quotas;  ///< by type; nothing where none is stated
        std::vector<std::int64_t> used;  ///< by type
    };
    const QueueQuota& quota(QueueId id, GpuTypeId type) const { return queues_[id.index()].quotas[type.index()]; }
    std::int64_t ceiling(QueueId id, GpuTypeId type) const;

    std::vector<Queue> queues_;
};

}  // namespace medley::planner
