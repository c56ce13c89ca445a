#pragma once
/// Which job holds how many GPUs of which node: the fit by nodes that counts by type do not show.
///
/// The simulated cluster places by type and count only; this map is the policy's own, kept so that its counts agree with the view's.

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/cluster.h"
#include "core/ids.h"
#include "core/units.h"

namespace medley::planner {

using NodeId = Id<struct NodeTag>;

/// How a gang lies on nodes: `nodes` with `per_node` GPUs each, and one more with `rest` if that is above 0. With 0 nodes and a rest of 0,
/// `spread` GPUs lie wherever they are free.
struct GangShape {
    int nodes = 0;
    int per_node = 0;
    int rest = 0;
    int spread = 0;
    bool operator==(const GangShape&) const = default;
};

struct NodeShare {
    NodeId node;
    int gpus = 0;
};
using Placement = std::vector<NodeShare>;

/// What is free of each node at some moment: GPUs (none where the node may not be used), and how full it is otherwise. By node.
struct FreeNodes {
    std::vector<int> gpus;
    std::vector<int> load;  ///< CPUs in use; of equal nodes the fullest is taken first
};

/// Thread rule: one thread.
class NodeMap {
 public:
    /// `cpus_per_node` 0 = not known: how full a node is shows in its GPUs alone.
    explicit NodeMap(const Cluster& cluster, int cpus_per_node = 0);

    struct Running {
        SimTime end;
        JobId job;
        int gpus = 0;
        int cpus = 0;
    };
    struct Node {
        GpuTypeId type;
        std::uint32_t group = 0;   ///< in the cluster file
        std::uint32_t weight = 0;  ///< nodes of a lower one are taken first; those of groups that stand side by side and are alike have one
        int gpus = 0;
        int free = 0;
        int down = 0;
        int cpus_used = 0;
        std::vector<Running> running;  ///< by expected end
    };
    std::size_t size() const { return nodes_.size(); }
    const Node& node(NodeId id) const { return nodes_[id.index()]; }
    /// Positions of a type's nodes, ascending: [first, second). Nodes are numbered type by type, in the file's order within a type.
    std::pair<std::size_t, std::size_t> range(GpuTypeId type) const { return ranges_[type.index()]; }

    /// A gang that states no number of nodes fills nodes, the last one in part; one that does is spread evenly. Where even the empty
    /// cluster has no such nodes, it lies anywhere.
    GangShape shape(int gpus, int stated_nodes, GpuTypeId type) const;

    /// Brings the type's total to `gpus`: what is missing is taken from the last nodes that have it free.
    void set_capacity(GpuTypeId type, int gpus);
    int free(GpuTypeId type) const;

    void place(JobId job, const Placement& placement, SimTime end, int cpus);
    void remove(JobId job);
    const Placement* placement(JobId job) const;
    int cpus_per_node() const { return cpus_per_node_; }

    /// Free GPUs and load now, or at a later time when jobs have ended as expected (`now` is when overrunning ones end at the earliest).
    FreeNodes free_now() const;
    int free_at(NodeId id, SimTime time) const;
    int load_at(NodeId id, SimTime time) const;
    /// When so many GPUs of a node will be free, if nothing new starts there; kNever if it has not so many.
    SimTime free_time(NodeId id, int gpus, SimTime now) const;

 private:
    int cpus_per_node_;
    std::vector<Node> nodes_;
    std::vector<std::pair<std::size_t, std::size_t>> ranges_;
    std::vector<std::vector<int>> sizes_;  ///< by type: of its nodes, descending
    std::vector<int> down_;                ///< by type
    std::unordered_map<JobId, Placement> placements_;
};

/// Nodes for a gang, as Slurm's consumable resources choose them: by ascending weight; of one weight, of the runs of neighbouring
/// nodes with room the one with the least to spare that suffices; in a run, the fullest node for a single one, else from its beginning.
/// No value if there is no room. Cost: O(nodes of the type).
std::optional<Placement> choose_nodes(const NodeMap& map, GpuTypeId type, const GangShape& shape, const FreeNodes& free);

}  // namespace medley::planner
