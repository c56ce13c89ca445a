#include "planner/policies/slurm/slurm_site.h"

#include <algorithm>
#include <string>

#include "planner/policies/site_pools.h"

namespace medley::planner {
namespace {

template <class Value>
bool holds(const std::vector<Value>& values, const Value& value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

}  // namespace

SlurmSite::SlurmSite(const Cluster& cluster, const SiteRules& rules, const NodeMap& map) : rules_(rules), windows_(map.size()) {
    double highest = 0;
    for (const PartitionRule& rule : rules.partitions) { highest = std::max(highest, rule.priority_factor); }
    for (const PartitionRule& rule : rules.partitions) { add_partition(cluster, map, rule, highest); }
    if (partitions_.empty()) { add_partition(cluster, map, PartitionRule{}, 1); }
    for (const SiteReservation& rule : rules.reservations) { add_reservation(cluster, map, rule); }
    std::sort(boundaries_.begin(), boundaries_.end());
    for (const QosRule& qos : rules.qos) { highest_qos_ = std::max(highest_qos_, qos.priority); }
    for (const NodeGroup& group : cluster.nodes) {
        if (!holds(types_, group.gpu)) { types_.push_back(group.gpu); }
    }
}

void SlurmSite::add_partition(const Cluster& cluster, const NodeMap& map, const PartitionRule& rule, double highest_factor) {
    SlurmPartition partition{.rule = rule, .qos = rules_.find_qos(rule.qos), .nodes = std::vector<bool>(map.size(), false)};
    partition.gpus_of.resize(cluster.gpu_types.size(), 0);
    partition.factor = highest_factor > 0 ? rule.priority_factor / highest_factor : 0;
    for (std::size_t index = 0; index < map.size(); ++index) {
        const NodeMap::Node& node = map.node(NodeId(index));
        const bool everything = rule.nodes.empty() && rule.gpu_types.empty();
        const bool inside =
            everything || holds(rule.nodes, cluster.nodes[node.group].name) || holds(rule.gpu_types, cluster.type(node.type).name);
        if (!inside) { continue; }
        partition.nodes[index] = true;
        partition.node_count += 1;
        partition.gpus += node.gpus;
        partition.gpus_of[node.type.index()] += node.gpus;
    }
    if (rule.is_default) { default_partition_ = partitions_.size(); }
    partitions_.push_back(std::move(partition));
}

// Named groups whole; of a type so many nodes, from the last, that their GPUs suffice.
void SlurmSite::add_reservation(const Cluster& cluster, const NodeMap& map, const SiteReservation& rule) {
    SlurmReservation reservation{.rule = &rule, .nodes = std::vector<bool>(map.size(), false)};
    std::vector<double> wanted(cluster.gpu_types.size(), 0);
    for (const ResourceWeight& gpus : rule.gpus) {
        if (const auto type = cluster.find(gpus.resource)) { wanted[type->index()] = gpus.weight; }
    }
    for (std::size_t index = map.size(); index-- > 0;) {
        const NodeMap::Node& node = map.node(NodeId(index));
        double& missing = wanted[node.type.index()];
        const bool needed = missing > 0;
        if (needed) { missing -= node.gpus; }
        if (!needed && !holds(rule.nodes, cluster.nodes[node.group].name)) { continue; }
        reservation.nodes[index] = true;
        windows_[index].push_back({.start = rule.start, .end = rule.end, .site = &rule});
    }
    boundaries_.push_back(rule.start);
    boundaries_.push_back(rule.end);
    reservations_.push_back(std::move(reservation));
}

std::size_t SlurmSite::partition_of(Name name) const {
    for (std::size_t index = 0; index < partitions_.size(); ++index) {
        if (!name.empty() && partitions_[index].rule.name == name) { return index; }
    }
    return default_partition_;
}

const SlurmReservation* SlurmSite::reservation_of(const JobBelief& job) const {
    for (const SlurmReservation& reservation : reservations_) {
        if (may_use(job, *reservation.rule)) { return &reservation; }
    }
    return nullptr;
}

double SlurmSite::qos_factor(const QosRule* qos) const { return qos != nullptr && highest_qos_ > 0 ? qos->priority / highest_qos_ : 0; }

}  // namespace medley::planner
