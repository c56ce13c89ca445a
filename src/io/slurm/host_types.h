#pragma once
/// Which GPUs a named node has, by the cluster file.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/cluster.h"

namespace medley::io::slurm {

struct HostGpus {
    Name type;
    int gpus = 0;
};

/// Groups of a cluster whose names are host lists, as `medley cluster import --format slurm` writes them. Nodes of several types are in
/// none.
class HostTypes {
 public:
    explicit HostTypes(const std::optional<Cluster>& cluster);

    bool empty() const { return hosts_.empty(); }
    /// None for a node that no group names.
    std::optional<HostGpus> find(std::string_view host) const;
    /// All GPUs of a list of nodes, if all are known and of one type. Throws medley::Error (found, expected) for a list that is none.
    std::optional<HostGpus> all_of(std::string_view host_list) const;

 private:
    std::unordered_map<std::string, HostGpus> hosts_;
};

}  // namespace medley::io::slurm
