#include "io/importers/node_table.h"

#include <fmt/format.h>

#include "io/importers/record_fields.h"

namespace medley::io {

void NodeTable::add(std::string_view gpu_type, std::int64_t gpus) {
    if (gpus > 0 && !gpu_type.empty()) { ++nodes_[{std::string(gpu_type), static_cast<int>(gpus)}]; }
}

Cluster NodeTable::cluster(const std::string& name) const {
    Cluster cluster{.name = name, .gpu_types = {}, .nodes = {}, .network = {}};
    for (const auto& [kind, count] : nodes_) {
        const auto& [type, gpus] = kind;
        if (!cluster.find(type)) { cluster.gpu_types.push_back(GpuType{.name = Name(type)}); }
        cluster.nodes.push_back({.name = fmt::format("{}x{}", type, gpus), .count = count, .gpu = *cluster.find(type), .gpus = gpus});
    }
    return cluster;
}

}  // namespace medley::io
