#pragma once
/// A mixed fleet of GPUs: types, nodes, and the levels of the network that joins them.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.h"
#include "core/name.h"
#include "core/units.h"

namespace medley {

/// What the vendor's data sheet and the price list say of one type. Unknown figures stay empty; nothing is assumed.
struct GpuType {
    Name name;
    std::optional<Bytes> memory;
    std::optional<double> price_usd_per_hour;
    std::optional<double> power_w;
    std::optional<double> fp32_tflops;
    std::optional<double> fp16_tflops;
    std::optional<double> memory_gb_per_s;
};

/// One way through the fabric. Bandwidth is of one link (NIC or NVLink port), in one direction; 1 GB/s = 1e9 bytes/s.
struct Link {
    BytesPerSecond bandwidth;
    Seconds latency;
};

/// `count` equal nodes with `gpus` GPUs each. `intra` is the link between GPUs of one node, if stated.
struct NodeGroup {
    std::string name;
    int count = 1;
    GpuTypeId gpu;
    int gpus = 1;
    std::optional<Link> intra;
};

/// One level of the network above the nodes. Nodes fill a level in file order: the first `nodes` nodes stand below its first
/// group, and so on; empty means all. Oversubscription divides the bandwidth between different groups of the level below.
struct NetworkLevel {
    std::string name;
    std::optional<int> nodes;
    Link link;
    double oversubscription = 1;
};

/// Requires (checked by `validate`): at least one type and one GPU, unique names, positive finite figures, levels that grow.
struct Cluster {
    std::string name;
    std::vector<GpuType> gpu_types;
    std::vector<NodeGroup> nodes;
    std::vector<NetworkLevel> network;  ///< from the node outward; empty = unknown, communication then costs nothing

    /// Throws medley::Error naming the place inside the file ("nodes[2].gpus"), the value and what was expected.
    void validate() const;

    std::optional<GpuTypeId> find(std::string_view gpu_type) const;
    const GpuType& type(GpuTypeId id) const { return gpu_types[id.index()]; }
    /// GPUs of each type, in the order of `gpu_types`.
    std::vector<int> capacity() const;
    int total_gpus() const;
};

}  // namespace medley
