#pragma once
/// A plan: how one job's fixed list of virtual nodes lies on devices.
///
/// A plan is a set of replica groups. A replica holds one copy of the model on `tensor x pipeline` devices and works through
/// its own virtual nodes one after another; plain data parallelism is the case of one device per replica. Each sample of the
/// global batch belongs to exactly one virtual node, so the training result does not depend on the plan.

#include <optional>
#include <string>
#include <vector>

#include "core/name.h"
#include "core/units.h"

namespace medley {

/// `replicas` replicas that are alike in every respect.
struct ReplicaGroup {
    Name gpu_type;
    int replicas = 1;
    int tensor = 1;
    int pipeline = 1;
    bool sharded_state = false;
    std::vector<Samples> virtual_nodes;  ///< of one replica, descending in size

    int gpus() const { return replicas * tensor * pipeline; }
    Samples batch_per_replica() const;
    bool operator==(const ReplicaGroup&) const = default;
};

struct Plan {
    Name model;
    Samples global_batch;
    std::vector<ReplicaGroup> groups;

    int gpus() const;
    /// All virtual nodes of the job, descending: the list that stays fixed for the job's life.
    std::vector<Samples> virtual_nodes() const;
    /// Throws medley::Error unless every size and count is positive and the sizes add up to `global_batch`.
    void validate() const;
    bool operator==(const Plan&) const = default;
};

}  // namespace medley
