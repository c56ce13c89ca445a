#include "io/plan_file.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "core/error.h"
#include "io/document.h"
#include "io/text_file.h"
#include "io/yaml_text.h"

namespace medley::io {
namespace {

constexpr std::int64_t kMostSamples = 1'000'000'000'000;
constexpr std::int64_t kMostReplicas = 100'000'000;
constexpr std::int64_t kMostDegree = 1'000'000;
// A few bytes of input must not become gigabytes of plan.
constexpr std::size_t kMostVirtualNodes = 1'000'000;

int optional_degree(const DocumentNode& node, std::string_view key) {
    const DocumentNode* value = node.find(key);
    return value != nullptr ? static_cast<int>(value->whole(1, kMostDegree)) : 1;
}

// An entry is a size, or {batch, count} for equal sizes in a row.
void append_virtual_nodes(const DocumentNode& entry, std::vector<Samples>& sizes) {
    std::int64_t count = 1;
    const DocumentNode* batch = &entry;
    if (entry.is_map()) {
        entry.allow_keys({"batch", "count"});
        batch = &entry.at("batch");
        count = entry.at("count").whole(1, kMostVirtualNodes);
    }
    const Samples size{batch->whole(1, kMostSamples)};
    if (sizes.size() + static_cast<std::size_t>(count) > kMostVirtualNodes) {
        entry.refuse(fmt::format("at most {} virtual nodes", kMostVirtualNodes));
    }
    sizes.insert(sizes.end(), static_cast<std::size_t>(count), size);
}

std::vector<Samples> read_virtual_nodes(const DocumentNode& list) {
    std::vector<Samples> sizes;
    for (const DocumentNode& entry : list.list_items()) { append_virtual_nodes(entry, sizes); }
    std::sort(sizes.begin(), sizes.end(), std::greater<>());
    return sizes;
}

ReplicaGroup read_group(const DocumentNode& node) {
    node.allow_keys({"gpu_type", "replicas", "tensor", "pipeline", "sharded_state", "virtual_nodes"});
    ReplicaGroup group{.gpu_type = Name(node.at("gpu_type").text())};
    group.replicas = static_cast<int>(node.at("replicas").whole(1, kMostReplicas));
    group.tensor = optional_degree(node, "tensor");
    group.pipeline = optional_degree(node, "pipeline");
    if (const DocumentNode* sharded = node.find("sharded_state")) { group.sharded_state = sharded->boolean(); }
    group.virtual_nodes = read_virtual_nodes(node.at("virtual_nodes"));
    return group;
}

ReplicaGroup read_assignment(const DocumentNode& node) {
    ReplicaGroup group{.gpu_type = Name(node.at("gpu_type").text())};
    group.replicas = static_cast<int>(node.at("gpus").whole(1, kMostReplicas));
    group.virtual_nodes = read_virtual_nodes(node.at("virtual_node_batches"));
    return group;
}

// Whatever the sizes, sums of a plan stay within 64 bits.
void refuse_large_sums(const DocumentNode& list, const std::vector<ReplicaGroup>& groups) {
    double devices = 0;
    double samples = 0;
    for (const ReplicaGroup& group : groups) {
        devices += static_cast<double>(group.replicas) * group.tensor * group.pipeline;
        double batch = 0;
        for (const Samples size : group.virtual_nodes) { batch += static_cast<double>(size.value); }
        samples += batch * group.replicas;
    }
    if (devices > static_cast<double>(kMostReplicas)) {
        refuse_value(list.place(), fmt::format("{} GPUs in all", devices), fmt::format("at most {}", kMostReplicas));
    }
    if (samples > static_cast<double>(kMostSamples)) {
        refuse_value(list.place(), fmt::format("{} samples in all", samples), fmt::format("at most {}", kMostSamples));
    }
}

Plan read_plan(const DocumentNode& root) {
    const bool is_report = root.find("groups") == nullptr && root.find("assignments") != nullptr;
    if (!is_report) { root.allow_keys({"format", "model", "global_batch", "groups"}); }
    const DocumentNode& list = root.at(is_report ? "assignments" : "groups");
    Plan plan;
    if (const DocumentNode* model = root.find("model")) { plan.model = Name(model->text()); }
    plan.global_batch = Samples{root.at("global_batch").whole(1, kMostSamples)};
    std::size_t virtual_nodes = 0;
    for (const DocumentNode& item : list.list_items()) {
        plan.groups.push_back(is_report ? read_assignment(item) : read_group(item));
        virtual_nodes += plan.groups.back().virtual_nodes.size();
        if (virtual_nodes > kMostVirtualNodes) { item.refuse(fmt::format("at most {} virtual nodes in all", kMostVirtualNodes)); }
    }
    refuse_large_sums(list, plan.groups);
    plan.validate();
    return plan;
}

std::string virtual_nodes_text(const std::vector<Samples>& sizes) {
    std::string text;
    for (auto size = sizes.begin(); size != sizes.end();) {
        const auto end = std::find_if(size, sizes.end(), [&](Samples other) { return other != *size; });
        if (!text.empty()) { text += ", "; }
        text += fmt::format("{{batch: {}, count: {}}}", size->value, end - size);
        size = end;
    }
    return text;
}

std::string group_text(const ReplicaGroup& group) {
    std::string text = fmt::format("  - gpu_type: {}\n    replicas: {}\n", quoted_yaml(group.gpu_type.text()), group.replicas);
    if (group.tensor > 1) { text += fmt::format("    tensor: {}\n", group.tensor); }
    if (group.pipeline > 1) { text += fmt::format("    pipeline: {}\n", group.pipeline); }
    if (group.sharded_state) { text += "    sharded_state: true\n"; }
    return text + fmt::format("    virtual_nodes: [{}]\n", virtual_nodes_text(group.virtual_nodes));
}

}  // namespace

Plan load_plan(const std::filesystem::path& path) { return parse_plan(read_text_file(path), path.string()); }

Plan parse_plan(std::string_view text, const std::string& file) {
    Plan plan;
    read_document(text, file, [&](const DocumentNode& root) { plan = read_plan(root); });
    return plan;
}

std::string format_plan(const Plan& plan) {
    std::string text = "format: 1\n";
    if (!plan.model.empty()) { text += fmt::format("model: {}\n", quoted_yaml(plan.model.text())); }
    text += fmt::format("global_batch: {}\ngroups:\n", plan.global_batch.value);
    for (const ReplicaGroup& group : plan.groups) { text += group_text(group); }
    return text;
}

}  // namespace medley::io
