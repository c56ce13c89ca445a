#include "cli/what_if.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/data_folder.h"
#include "cli/options.h"
#include "core/error.h"
#include "io/cluster_file.h"

namespace medley::cli {
namespace {

constexpr const char* kOption = "--what-if";
constexpr std::int64_t kMostGpus = 1'000'000;

struct Change {
    int gpus = 0;  ///< below 0 = taken away
    std::string type;
};

Change parse_change(const std::string& text) {
    const std::size_t space = text.find(' ');
    const bool signed_number = text[0] == '+' || text[0] == '-';
    if (!signed_number || space == std::string::npos) { refuse_value(kOption, text, "+COUNT TYPE or -COUNT TYPE, as in '+8 H100'"); }
    const auto gpus = static_cast<int>(parse_whole(kOption, text.substr(1, space - 1), 1, kMostGpus));
    const std::size_t type = text.find_first_not_of(' ', space);
    return {.gpus = text[0] == '+' ? gpus : -gpus, .type = text.substr(type)};
}

GpuTypeId add_type_from_catalogue(Cluster& cluster, const std::string& name) {
    const std::vector<GpuType> catalogue = io::load_gpu_types(gpu_catalogue());
    const auto found = std::find_if(catalogue.begin(), catalogue.end(), [&](const GpuType& type) { return type.name.text() == name; });
    if (found == catalogue.end()) { refuse_value(kOption, name, "a GPU type of the cluster file or of `medley gpus`"); }
    cluster.gpu_types.push_back(*found);
    return GpuTypeId(cluster.gpu_types.size() - 1);
}

/// The largest kind of node of this type, as a pattern for new ones.
NodeGroup pattern_for(const Cluster& cluster, GpuTypeId type, int gpus) {
    NodeGroup pattern{.name = "what-if", .count = 0, .gpu = type, .gpus = 0, .intra = std::nullopt};
    for (const NodeGroup& group : cluster.nodes) {
        if (group.gpu != type || group.gpus <= pattern.gpus) { continue; }
        pattern.gpus = group.gpus;
        pattern.intra = group.intra;
    }
    if (pattern.gpus == 0) { pattern.gpus = gpus; }
    return pattern;
}

void add_gpus(Cluster& cluster, GpuTypeId type, int gpus) {
    NodeGroup full = pattern_for(cluster, type, gpus);
    NodeGroup rest = full;
    full.count = gpus / full.gpus;
    rest.gpus = gpus % full.gpus;
    rest.count = 1;
    rest.name += "-rest";
    if (full.count > 0) { cluster.nodes.push_back(full); }
    if (rest.gpus > 0) { cluster.nodes.push_back(rest); }
}

/// Takes up to `gpus` GPUs from the end of one group, whole nodes first; returns what is still to be taken.
int take_from(std::vector<NodeGroup>& nodes, std::size_t index, int gpus) {
    NodeGroup& group = nodes[index];
    const int whole = std::min(group.count, gpus / group.gpus);
    group.count -= whole;
    int left = gpus - whole * group.gpus;
    if (left > 0 && group.count > 0) {
        NodeGroup partial = group;
        partial.count = 1;
        partial.gpus -= left;
        partial.name += "-rest";
        --group.count;
        left = 0;
        nodes.insert(nodes.begin() + static_cast<std::ptrdiff_t>(index) + 1, partial);
    }
    return left;
}

void take_gpus(Cluster& cluster, GpuTypeId type, int gpus) {
    const int present = cluster.capacity()[type.index()];
    if (gpus > present) {
        refuse_value(kOption, fmt::format("-{} {}", gpus, cluster.type(type).name.text()),
                     fmt::format("at most the {} that there are", present));
    }
    for (std::size_t index = cluster.nodes.size(); index-- > 0 && gpus > 0;) {
        if (cluster.nodes[index].gpu == type) { gpus = take_from(cluster.nodes, index, gpus); }
    }
    std::erase_if(cluster.nodes, [](const NodeGroup& group) { return group.count == 0; });
}

void apply(Cluster& cluster, const Change& change) {
    const std::optional<GpuTypeId> known = cluster.find(change.type);
    const GpuTypeId type = known ? *known : add_type_from_catalogue(cluster, change.type);
    if (change.gpus > 0) {
        add_gpus(cluster, type, change.gpus);
    } else {
        take_gpus(cluster, type, -change.gpus);
    }
}

}  // namespace

Cluster with_change(Cluster cluster, const std::string& change) {
    if (change.empty()) { return cluster; }
    for (const std::string& part : parse_list(kOption, change, ',')) { apply(cluster, parse_change(part)); }
    try {
        cluster.validate();
    } catch (const Error& error) { refuse_value(kOption, change, fmt::format("a change that leaves a valid cluster ({})", error.what())); }
    return cluster;
}

}  // namespace medley::cli
