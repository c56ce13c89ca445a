#include "io/cluster_file.h"

#include <optional>
#include <set>

#include <fmt/format.h>

#include "core/error.h"
#include "io/document.h"
#include "io/scalar.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

constexpr std::int64_t kMost = 100'000'000;
constexpr double kBytesPerGb = 1e9;
constexpr double kSecondsPerMicrosecond = 1e-6;

std::optional<double> optional_number(const DocumentNode& node, std::string_view key) {
    const DocumentNode* value = node.find(key);
    return value != nullptr ? std::optional(value->number()) : std::nullopt;
}

int optional_count(const DocumentNode& node, std::string_view key, int otherwise) {
    const DocumentNode* value = node.find(key);
    return value != nullptr ? static_cast<int>(value->whole(1, kMost)) : otherwise;
}

GpuType read_type(const DocumentNode& node) {
    GpuType type{.name = Name(node.key())};
    if (node.kind() == DocumentNode::Kind::kNull) { return type; }  // "H100:" alone: a type of which nothing is known
    node.allow_keys({"memory_gib", "price_usd_per_hour", "power_w", "fp32_tflops", "fp16_tflops", "memory_gb_per_s"});
    if (const auto memory_gib = optional_number(node, "memory_gib")) { type.memory = Bytes{*memory_gib * kBytesPerGib}; }
    type.price_usd_per_hour = optional_number(node, "price_usd_per_hour");
    type.power_w = optional_number(node, "power_w");
    type.fp32_tflops = optional_number(node, "fp32_tflops");
    type.fp16_tflops = optional_number(node, "fp16_tflops");
    type.memory_gb_per_s = optional_number(node, "memory_gb_per_s");
    return type;
}

std::vector<GpuType> read_types(const DocumentNode& node) {
    constexpr std::size_t kMostTypes = 64;  // schedulers keep sets of types as 64 bits
    if (node.map_entries().size() > kMostTypes) { node.refuse(fmt::format("at most {} types", kMostTypes)); }
    std::vector<GpuType> types;
    for (const DocumentNode& type : node.map_entries()) { types.push_back(read_type(type)); }
    return types;
}

// `prefix` tells the link of a node ("intra_") from that of a level.
Link read_link(const DocumentNode& node, const std::string& prefix) {
    Link link{.bandwidth = BytesPerSecond{node.at(prefix + "gb_per_s").number() * kBytesPerGb}};
    if (const auto latency_us = optional_number(node, prefix + "latency_us")) {
        link.latency = Seconds{*latency_us * kSecondsPerMicrosecond};
    }
    return link;
}

GpuTypeId read_type_name(const DocumentNode& node, const Cluster& cluster) {
    if (const auto type = cluster.find(node.text())) { return *type; }
    std::vector<std::string_view> names;
    for (const GpuType& type : cluster.gpu_types) { names.push_back(type.name.text()); }
    node.refuse(expected_name(node.text(), names));
}

NodeGroup read_nodes(const DocumentNode& node, const Cluster& cluster) {
    node.allow_keys({"name", "count", "gpu", "gpus", "intra_gb_per_s", "intra_latency_us"});
    NodeGroup group{.gpu = read_type_name(node.at("gpu"), cluster)};
    if (const DocumentNode* name = node.find("name")) { group.name = name->text(); }
    group.count = optional_count(node, "count", 1);
    group.gpus = optional_count(node, "gpus", 1);
    if (node.find("intra_gb_per_s") != nullptr) {
        group.intra = read_link(node, "intra_");
    } else if (const DocumentNode* latency = node.find("intra_latency_us")) {
        latency->refuse("intra_gb_per_s beside it");
    }
    return group;
}

NetworkLevel read_level(const DocumentNode& node) {
    node.allow_keys({"level", "nodes", "gb_per_s", "latency_us", "oversubscription"});
    NetworkLevel level{.name = node.at("level").text(), .link = read_link(node, "")};
    if (node.find("nodes") != nullptr) { level.nodes = optional_count(node, "nodes", 1); }
    if (const auto oversubscription = optional_number(node, "oversubscription")) { level.oversubscription = *oversubscription; }
    return level;
}

std::vector<NetworkLevel> read_network(const DocumentNode& node) {
    std::vector<NetworkLevel> levels;
    if (node.is_map()) {
        node.allow_keys({"inter_gb_per_s", "inter_latency_us"});
        levels.push_back(NetworkLevel{.name = "cluster", .link = read_link(node, "inter_")});
        return levels;
    }
    for (const DocumentNode& level : node.list_items()) { levels.push_back(read_level(level)); }
    return levels;
}

// An availability file names groups and types: each name must mean one of them.
void refuse_ambiguous_names(const DocumentNode& nodes, const Cluster& cluster) {
    std::set<std::string_view> seen;
    const std::vector<NodeGroup>& groups = cluster.nodes;
    for (std::size_t index = 0; index < groups.size(); ++index) {
        const std::string& name = groups[index].name;
        if (name.empty()) { continue; }
        const DocumentNode& group = nodes.list_items()[index];
        if (!seen.insert(name).second) { group.at("name").refuse("each name once"); }
        if (cluster.find(name)) { group.at("name").refuse("a name that no GPU type has"); }
    }
}

Cluster read_cluster(const DocumentNode& root) {
    root.allow_keys({"format", "name", "gpu_types", "nodes", "network", "source"});
    Cluster cluster;
    if (const DocumentNode* name = root.find("name")) { cluster.name = name->text(); }
    cluster.gpu_types = read_types(root.at("gpu_types"));
    for (const DocumentNode& group : root.at("nodes").list_items()) { cluster.nodes.push_back(read_nodes(group, cluster)); }
    refuse_ambiguous_names(root.at("nodes"), cluster);
    if (const DocumentNode* network = root.find("network")) { cluster.network = read_network(*network); }
    cluster.validate();
    return cluster;
}

}  // namespace

Cluster load_cluster(const std::filesystem::path& path) { return parse_cluster(read_text_file(path), path.string()); }

Cluster parse_cluster(std::string_view text, const std::string& file) {
    Cluster cluster;
    read_document(text, file, [&](const DocumentNode& root) { cluster = read_cluster(root); });
    return cluster;
}

std::vector<GpuType> load_gpu_types(const std::filesystem::path& path) { return parse_gpu_types(read_text_file(path), path.string()); }

std::vector<GpuType> parse_gpu_types(std::string_view text, const std::string& file) {
    std::vector<GpuType> types;
    read_document(text, file, [&](const DocumentNode& root) {
        root.allow_keys({"format", "source", "gpu_types"});
        types = read_types(root.at("gpu_types"));
        Cluster{.gpu_types = types, .nodes = {NodeGroup{.gpu = GpuTypeId(0)}}}.validate();
    });
    return types;
}

}  // namespace medley::io
