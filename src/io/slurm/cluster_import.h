#pragma once
/// A cluster file from what Slurm says of its nodes.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/cluster.h"
#include "core/name.h"
#include "io/slurm/files.h"

namespace medley::io::slurm {

using TypeNames = std::map<std::string, std::string, std::less<>>;

struct ClusterChoices {
    bool keep_unavailable = false;     ///< nodes that are down, drained, failed or future count, too
    bool node_by_node = false;         ///< a group for each node, instead of one for equal neighbours
    TypeNames type_names;              ///< Slurm's name of a GPU type -> ours
    std::string untyped_name = "gpu";  ///< for GPUs that Slurm knows no type of
};

/// Equal nodes as one group of the cluster file: the same GPUs, weight, partitions and reservations. A node with GPUs of two types stands
/// in a group for each.
struct HostGroup {
    std::string name;  ///< of the group
    std::vector<std::string> hosts;
};

struct ImportedCluster {
    Cluster cluster;  ///< groups and types by weight, as Slurm fills them; equal weights in the order of the output. Types have no figures
    std::vector<HostGroup> groups;               ///< one for each of `cluster.nodes`
    std::int64_t cpus = 0;                       ///< of all nodes, those without GPUs and the unavailable included; 0 = not stated
    std::map<std::string, std::size_t> dropped;  ///< nodes left out, by reason
    std::vector<std::string> notes;              ///< one line each
};

/// Requires `nodes` or `sinfo`; `partitions` and `reservations`, if there, split groups at their borders. Throws medley::Error naming file,
/// line and key. Cost: O(nodes x (partitions + reservations)).
ImportedCluster import_cluster(const SiteFiles& files, const ClusterChoices& choices);

/// "a100=A100,v100=V100". Throws medley::Error.
TypeNames parse_type_names(std::string_view text);

}  // namespace medley::io::slurm
