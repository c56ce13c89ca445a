#pragma once
/// Lists of nodes with a GPU type and a number of GPUs each, as Alibaba publishes them, counted into groups of equal nodes.

#include <map>
#include <string>
#include <string_view>

#include "core/cluster.h"

namespace medley::io {

class NodeTable {
 public:
    /// A node; those without GPUs are left out.
    void add(std::string_view gpu_type, std::int64_t gpus);
    bool empty() const { return nodes_.empty(); }
    /// Types in order of name; a group for each type and number of GPUs. Requires a node with GPUs.
    Cluster cluster(const std::string& name) const;

 private:
    std::map<std::pair<std::string, int>, int, std::less<>> nodes_;
};

}  // namespace medley::io
