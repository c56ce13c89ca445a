#include "core/site_rules.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "core/error.h"

namespace medley {
namespace {

constexpr double kMostWeight = 1e12;

/// Names of one kind of thing, each once.
class NameSet {
 public:
    void add(Name name, const std::string& place) {
        if (name.empty()) { refuse_value(place, "", "a name"); }
        if (!names_.insert(name).second) { refuse_value(place, name.text(), "each name once"); }
    }
    void require(Name name, const std::string& place, std::string_view kind) const {
        if (!names_.contains(name)) { refuse_value(place, name.text(), fmt::format("one of the {} listed", kind)); }
    }
    void require_if_stated(Name name, const std::string& place, std::string_view kind) const {
        if (!name.empty()) { require(name, place, kind); }
    }

 private:
    std::set<Name> names_;
};

void require_weight(double value, const std::string& place) {
    if (!(value >= 0) || value > kMostWeight) { refuse_value(place, fmt::format("{}", value), "a number from 0 to 10^12"); }
}

void require_span(Seconds value, const std::string& place) {
    if (!(value.value >= 0) || !std::isfinite(value.value)) { refuse_value(place, fmt::format("{}", value.value), "a span of at least 0"); }
}

void require_interval(Seconds value, const std::string& place) {
    if (!(value.value >= 1)) { refuse_value(place, fmt::format("{}", value.value), "a span of at least 1 s"); }
}

void validate_resources(const std::vector<ResourceWeight>& weights, const std::string& place) {
    std::set<std::string> seen;
    for (const ResourceWeight& each : weights) {
        const std::string& resource = each.resource;
        const bool typed = resource.starts_with("gpu:") && resource.size() > 4;
        if (!typed && resource != "gpu" && resource != "cpu" && resource != "node") {
            refuse_value(place, resource, "gpu, cpu, node or gpu:TYPE");
        }
        if (!seen.insert(resource).second) { refuse_value(place, resource, "each resource once"); }
        require_weight(each.weight, fmt::format("{}.{}", place, resource));
    }
}

void validate_priority(const PriorityRules& rules) {
    const PriorityWeights& weights = rules.weights;
    for (const auto& [name, weight] : {std::pair("age", weights.age),
                                       {"fair_share", weights.fair_share},
                                       {"job_size", weights.job_size},
                                       {"partition", weights.partition},
                                       {"qos", weights.qos},
                                       {"association", weights.association}}) {
        require_weight(weight, fmt::format("priority.weights.{}", name));
    }
    validate_resources(weights.resources, "priority.weights.tres");
    validate_resources(rules.billing, "priority.billing");
    require_interval(rules.max_age, "priority.max_age");
    require_span(rules.decay_half_life, "priority.decay_half_life");
    require_span(rules.usage_reset, "priority.usage_reset");
    require_interval(rules.calc_period, "priority.calc_period");
    if (!(rules.damping > 0)) { refuse_value("priority.damping", fmt::format("{}", rules.damping), "a number above 0"); }
}

void validate_scheduling(const SchedulingRules& rules) {
    require_interval(rules.main_interval, "scheduling.main_interval");
    require_span(rules.batch_delay, "scheduling.batch_delay");
    require_span(rules.start_delay, "scheduling.start_delay");
    require_span(rules.walltime_unit, "scheduling.walltime_unit");
    require_interval(rules.backfill.interval, "scheduling.backfill.interval");
    require_interval(rules.backfill.window, "scheduling.backfill.window");
    require_interval(rules.backfill.resolution, "scheduling.backfill.resolution");
}

NameSet validate_qos(const std::vector<QosRule>& all) {
    NameSet names;
    for (std::size_t index = 0; index < all.size(); ++index) { names.add(all[index].name, fmt::format("qos[{}].name", index)); }
    for (std::size_t index = 0; index < all.size(); ++index) {
        const QosRule& qos = all[index];
        const std::string place = fmt::format("qos[{}]", index);
        require_weight(qos.priority, place + ".priority");
        require_weight(qos.usage_factor, place + ".usage_factor");
        require_span(qos.exempt, place + ".exempt");
        for (std::size_t other = 0; other < qos.preempts.size(); ++other) {
            names.require(qos.preempts[other], fmt::format("{}.preempts[{}]", place, other), "qos");
        }
    }
    return names;
}

void validate_partitions(const std::vector<PartitionRule>& all, const NameSet& qos) {
    NameSet names;
    std::int64_t defaults = 0;
    for (std::size_t index = 0; index < all.size(); ++index) {
        const PartitionRule& partition = all[index];
        const std::string place = fmt::format("partitions[{}]", index);
        names.add(partition.name, place + ".name");
        require_weight(partition.priority_factor, place + ".priority_factor");
        qos.require_if_stated(partition.qos, place + ".qos", "qos");
        if (!partition.nodes.empty() && !partition.gpu_types.empty()) {
            refuse_value(place + ".gpu_types", partition.gpu_types.front().text(), "nodes or gpu_types, not both");
        }
        defaults += partition.is_default ? 1 : 0;
        if (defaults > 1) { refuse_value(place + ".default", "true", "one default partition"); }
    }
}

// Every account is reached from the root: one that is not hangs in a circle.
void refuse_circles(const std::vector<AccountRule>& all) {
    std::set<Name> reached;
    for (bool grown = true; grown;) {
        grown = false;
        for (const AccountRule& account : all) {
            if (account.parent.empty() || reached.contains(account.parent)) { grown |= reached.insert(account.name).second; }
        }
    }
    for (std::size_t index = 0; index < all.size(); ++index) {
        if (!reached.contains(all[index].name)) {
            refuse_value(fmt::format("accounts[{}].parent", index), all[index].parent.text(), "accounts without a circle");
        }
    }
}

void validate_users(const AccountRule& account, const std::string& place) {
    NameSet names;
    for (std::size_t index = 0; index < account.users.size(); ++index) {
        const UserRule& user = account.users[index];
        const std::string user_place = fmt::format("{}.users[{}]", place, index);
        names.add(user.name, user_place + ".name");
        require_weight(user.shares, user_place + ".shares");
        require_weight(user.priority, user_place + ".priority");
        if (!(user.usage >= 0) || !std::isfinite(user.usage)) {
            refuse_value(user_place + ".usage", fmt::format("{}", user.usage), "a finite number of at least 0");
        }
    }
}

void validate_accounts(const std::vector<AccountRule>& all) {
    NameSet names;
    for (std::size_t index = 0; index < all.size(); ++index) { names.add(all[index].name, fmt::format("accounts[{}].name", index)); }
    for (std::size_t index = 0; index < all.size(); ++index) {
        const std::string place = fmt::format("accounts[{}]", index);
        names.require_if_stated(all[index].parent, place + ".parent", "accounts");
        require_weight(all[index].shares, place + ".shares");
        require_weight(all[index].priority, place + ".priority");
        validate_users(all[index], place);
    }
    refuse_circles(all);
}

void validate_reservations(const std::vector<SiteReservation>& all) {
    NameSet names;
    for (std::size_t index = 0; index < all.size(); ++index) {
        const SiteReservation& reservation = all[index];
        const std::string place = fmt::format("reservations[{}]", index);
        names.add(reservation.name, place + ".name");
        if (reservation.end <= reservation.start) { refuse_value(place + ".end_s", "", "a time after start_s"); }
        if (reservation.nodes.empty() == reservation.gpus.empty()) { refuse_value(place, "", "either nodes or gpus"); }
    }
}

void require_one_of(QueuePreemption value, std::initializer_list<QueuePreemption> allowed, const std::string& place,
                    const std::string& expected) {
    if (std::find(allowed.begin(), allowed.end(), value) == allowed.end()) { refuse_value(place, "", expected); }
}

void validate_quotas(const QueueRule& queue, const std::string& place) {
    NameSet types;
    for (std::size_t index = 0; index < queue.quotas.size(); ++index) {
        const QueueQuota& quota = queue.quotas[index];
        const std::string quota_place = fmt::format("{}.quotas.{}", place, quota.gpu_type.text());
        types.add(quota.gpu_type, quota_place);
        if (quota.nominal < 0) { refuse_value(quota_place + ".nominal", fmt::format("{}", quota.nominal), "at least 0"); }
        if (queue.cohort.empty() && (quota.borrowing_limit || quota.lending_limit)) {
            refuse_value(quota_place, "", "no borrowing or lending limit without a cohort");
        }
        if (quota.lending_limit && *quota.lending_limit > quota.nominal) {
            refuse_value(quota_place + ".lending_limit", fmt::format("{}", *quota.lending_limit), "at most nominal");
        }
    }
}

void validate_queues(const std::vector<QueueRule>& all) {
    using Preemption = QueuePreemption;
    NameSet names;
    for (std::size_t index = 0; index < all.size(); ++index) {
        const QueueRule& queue = all[index];
        const std::string place = fmt::format("queues[{}]", index);
        names.add(queue.name, place + ".name");
        validate_quotas(queue, place);
        require_one_of(queue.within, {Preemption::kNobody, Preemption::kLowerPriority, Preemption::kLowerOrNewerEqualPriority},
                       place + ".preemption.within", "never, lower-priority or lower-or-newer-equal-priority");
        require_one_of(queue.reclaim, {Preemption::kNobody, Preemption::kLowerPriority, Preemption::kAny}, place + ".preemption.reclaim",
                       "never, lower-priority or any");
        require_one_of(queue.borrow, {Preemption::kNobody, Preemption::kLowerPriority}, place + ".preemption.borrow",
                       "never or lower-priority");
    }
}

/// What a cluster has names for.
class ClusterNames {
 public:
    explicit ClusterNames(const Cluster& cluster) {
        for (const NodeGroup& group : cluster.nodes) { groups_.insert(group.name); }
        for (const GpuType& type : cluster.gpu_types) { types_.insert(type.name); }
    }
    void require_groups(const std::vector<std::string>& names, const std::string& place) const {
        for (std::size_t index = 0; index < names.size(); ++index) {
            if (groups_.contains(names[index])) { continue; }
            refuse_value(fmt::format("{}.nodes[{}]", place, index), names[index], "the name of a node group of the cluster");
        }
    }
    void require_type(Name type, const std::string& place) const {
        if (!types_.contains(type)) { refuse_value(place, type.text(), "a GPU type of the cluster"); }
    }
    void require_resources(const std::vector<ResourceWeight>& weights, const std::string& place) const {
        for (const ResourceWeight& each : weights) {
            if (each.resource.starts_with("gpu:")) { require_type(Name(each.resource.substr(4)), place); }
        }
    }

 private:
    std::set<std::string> groups_;
    std::set<Name> types_;
};

}  // namespace

void SiteRules::validate() const {
    validate_priority(priority);
    validate_scheduling(scheduling);
    require_span(preemption.exempt, "preemption.exempt");
    require_span(preemption.requeue_delay, "preemption.requeue_delay");
    validate_partitions(partitions, validate_qos(qos));
    validate_accounts(accounts);
    validate_reservations(reservations);
    validate_queues(queues);
}

void SiteRules::require_fit(const Cluster& cluster) const {
    const ClusterNames names(cluster);
    names.require_resources(priority.weights.resources, "priority.weights.tres");
    names.require_resources(priority.billing, "priority.billing");
    for (std::size_t index = 0; index < partitions.size(); ++index) {
        const std::string place = fmt::format("partitions[{}]", index);
        names.require_groups(partitions[index].nodes, place);
        for (const Name type : partitions[index].gpu_types) { names.require_type(type, place + ".gpu_types"); }
    }
    for (std::size_t index = 0; index < reservations.size(); ++index) {
        const std::string place = fmt::format("reservations[{}]", index);
        names.require_groups(reservations[index].nodes, place);
        for (const ResourceWeight& gpus : reservations[index].gpus) { names.require_type(Name(gpus.resource), place + ".gpus"); }
    }
    for (std::size_t index = 0; index < queues.size(); ++index) {
        for (const QueueQuota& quota : queues[index].quotas) {
            names.require_type(quota.gpu_type, fmt::format("queues[{}].quotas", index));
        }
    }
}

const PartitionRule* SiteRules::find_partition(Name name) const {
    const auto found = std::find_if(partitions.begin(), partitions.end(), [name](const auto& each) { return each.name == name; });
    return found != partitions.end() ? &*found : nullptr;
}

const QosRule* SiteRules::find_qos(Name name) const {
    const auto found = std::find_if(qos.begin(), qos.end(), [name](const auto& each) { return each.name == name; });
    return found != qos.end() ? &*found : nullptr;
}

}  // namespace medley
