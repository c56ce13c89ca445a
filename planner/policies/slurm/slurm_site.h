#pragma once
/// A site's rules laid on a cluster's nodes: who may use which nodes, and when.

#include <vector>

#include "core/site_rules.h"
#include "planner/policies/slurm/backfill_plan.h"
#include "planner/policies/slurm/node_map.h"
#include "sched/belief.h"

namespace medley::planner {

struct SlurmPartition {
    PartitionRule rule;
    const QosRule* qos = nullptr;
    std::vector<bool> nodes;  ///< by node
    double node_count = 0;
    double gpus = 0;
    std::vector<double> gpus_of;  ///< by type
    double factor = 0;            ///< priority factor over the highest of all partitions
};

struct SlurmReservation {
    const SiteReservation* rule = nullptr;
    std::vector<bool> nodes;  ///< by node
};

/// Thread rule: constant after construction. The rules must outlive it.
class SlurmSite {
 public:
    /// Requires rules that fit the cluster. Without partitions there is one, of all nodes.
    SlurmSite(const Cluster& cluster, const SiteRules& rules, const NodeMap& map);

    const std::vector<SlurmPartition>& partitions() const { return partitions_; }
    /// A name that no partition has is that of the default one.
    std::size_t partition_of(Name name) const;
    const std::vector<SlurmReservation>& reservations() const { return reservations_; }
    /// The reservation that the job names and may use; null = none.
    const SlurmReservation* reservation_of(const JobBelief& job) const;
    const NodeWindows& windows() const { return windows_; }
    /// Starts and ends of reservations, ascending.
    const std::vector<SimTime>& boundaries() const { return boundaries_; }
    double qos_factor(const QosRule* qos) const;
    /// The GPU types in the order in which Slurm would try their nodes: as these stand in the cluster file.
    const std::vector<GpuTypeId>& types() const { return types_; }

 private:
    void add_partition(const Cluster& cluster, const NodeMap& map, const PartitionRule& rule, double highest_factor);
    void add_reservation(const Cluster& cluster, const NodeMap& map, const SiteReservation& rule);

    const SiteRules& rules_;
    std::vector<SlurmPartition> partitions_;
    std::vector<SlurmReservation> reservations_;
    NodeWindows windows_;
    std::vector<SimTime> boundaries_;
    std::vector<GpuTypeId> types_;
    std::size_t default_partition_ = 0;
    double highest_qos_ = 0;
};

}  // namespace medley::planner
