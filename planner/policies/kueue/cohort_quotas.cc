#include "planner/policies/kueue/cohort_quotas.h"

#include <algorithm>

namespace medley::planner {
namespace {

constexpr std::int64_t kEverything = 1'000'000'000;

std::int64_t lendable(const QueueQuota& quota) {
    return quota.lending_limit ? std::min(*quota.lending_limit, quota.nominal) : quota.nominal;
}

std::int64_t guaranteed(const QueueQuota& quota) { return quota.nominal - lendable(quota); }

}  // namespace

CohortQuotas::CohortQuotas(const Cluster& cluster, const SiteRules& rules) {
    std::vector<QueueRule> all = rules.queues;
    if (all.empty()) {
        QueueRule& everything = all.emplace_back();
        for (const GpuType& type : cluster.gpu_types) { everything.quotas.push_back({.gpu_type = type.name, .nominal = kEverything}); }
    }
    for (QueueRule& rule : all) {
        Queue queue{.rule = rule, .quotas = std::vector<QueueQuota>(cluster.gpu_types.size())};
        queue.used.resize(cluster.gpu_types.size(), 0);
        for (const QueueQuota& quota : rule.quotas) {
            const auto type = cluster.find(quota.gpu_type.text());
            if (!type) { continue; }
            queue.flavors.push_back(*type);
            queue.quotas[type->index()] = quota;
        }
        queues_.push_back(std::move(queue));
    }
}

std::optional<QueueId> CohortQuotas::find(Name name) const {
    for (std::size_t index = 0; index < queues_.size(); ++index) {
        if (queues_[index].rule.name == name || queues_[index].rule.name.empty()) { return QueueId(index); }
    }
    return std::nullopt;
}

bool CohortQuotas::same_cohort(QueueId a, QueueId b) const {
    return a == b || (!rule(a).cohort.empty() && rule(a).cohort == rule(b).cohort);
}

// What the queue may use in all, whatever others leave.
std::int64_t CohortQuotas::ceiling(QueueId id, GpuTypeId type) const {
    const QueueQuota& own = quota(id, type);
    if (rule(id).cohort.empty()) { return own.nominal; }
    return own.borrowing_limit ? own.nominal + *own.borrowing_limit : kEverything;
}

bool CohortQuotas::fits(QueueId id, GpuTypeId type, std::int64_t gpus, bool may_borrow) const {
    const std::int64_t total = used(id, type) + gpus;
    if (total > (may_borrow ? ceiling(id, type) : nominal(id, type))) { return false; }
    if (rule(id).cohort.empty()) { return true; }
    std::int64_t pool = 0;
    for (std::size_t index = 0; index < queues_.size(); ++index) {
        const QueueId other(index);
        if (!same_cohort(id, other)) { continue; }
        const std::int64_t use = used(other, type) + (other == id ? gpus : 0);
        pool += lendable(quota(other, type)) - std::max<std::int64_t>(0, use - guaranteed(quota(other, type)));
    }
    return pool >= 0;
}

bool CohortQuotas::would_borrow(QueueId id, GpuTypeId type, std::int64_t gpus) const { return used(id, type) + gpus > nominal(id, type); }

bool CohortQuotas::within_reach(QueueId id, GpuTypeId type, std::int64_t gpus) const {
    std::int64_t reach = guaranteed(quota(id, type));
    for (std::size_t index = 0; index < queues_.size(); ++index) {
        if (same_cohort(id, QueueId(index))) { reach += lendable(quota(QueueId(index), type)); }
    }
    return gpus <= std::min(reach, ceiling(id, type));
}

}  // namespace medley::planner
