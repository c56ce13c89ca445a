#include "io/cluster_writing.h"

#include <iterator>

#include <fmt/format.h>

#include "io/yaml_text.h"

namespace medley::io {
namespace {

constexpr double kBytesPerGb = 1e9;
constexpr double kSecondsPerMicrosecond = 1e-6;

/// `{a: 1, b: 2}`, with what is not known left out.
class FlowMap {
 public:
    FlowMap& add(const char* key, const std::string& value) {
        fmt::format_to(std::back_inserter(text_), "{}{}: {}", text_.empty() ? "" : ", ", key, value);
        return *this;
    }
    FlowMap& add(const char* key, const std::optional<double>& value) { return value ? add(key, fmt::format("{}", *value)) : *this; }
    std::string text() const { return "{" + text_ + "}"; }

 private:
    std::string text_;
};

void add_link(FlowMap& map, const std::string& prefix, const Link& link) {
    map.add((prefix + "gb_per_s").c_str(), link.bandwidth.value / kBytesPerGb);
    if (link.latency.value > 0) { map.add((prefix + "latency_us").c_str(), link.latency.value / kSecondsPerMicrosecond); }
}

std::string type_text(const GpuType& type) {
    FlowMap map;
    if (type.memory) { map.add("memory_gib", type.memory->value / kBytesPerGib); }
    map.add("price_usd_per_hour", type.price_usd_per_hour).add("power_w", type.power_w);
    map.add("fp32_tflops", type.fp32_tflops).add("fp16_tflops", type.fp16_tflops).add("memory_gb_per_s", type.memory_gb_per_s);
    return fmt::format("  {}: {}\n", quoted_yaml(type.name.text()), map.text());
}

std::string group_text(const NodeGroup& group, const Cluster& cluster) {
    FlowMap map;
    if (!group.name.empty()) { map.add("name", quoted_yaml(group.name)); }
    map.add("count", fmt::format("{}", group.count)).add("gpu", quoted_yaml(cluster.type(group.gpu).name.text()));
    map.add("gpus", fmt::format("{}", group.gpus));
    if (group.intra) { add_link(map, "intra_", *group.intra); }
    return fmt::format("  - {}\n", map.text());
}

std::string level_text(const NetworkLevel& level) {
    FlowMap map;
    map.add("level", quoted_yaml(level.name));
    if (level.nodes) { map.add("nodes", fmt::format("{}", *level.nodes)); }
    add_link(map, "", level.link);
    if (level.oversubscription != 1) { map.add("oversubscription", level.oversubscription); }
    return fmt::format("  - {}\n", map.text());
}

}  // namespace

std::string format_cluster(const Cluster& cluster, const std::string& source) {
    std::string text = "format: 1\n";
    if (!cluster.name.empty()) { text += fmt::format("name: {}\n", quoted_yaml(cluster.name)); }
    if (!source.empty()) { text += fmt::format("source: {}\n", quoted_yaml(source)); }
    text += "gpu_types:\n";
    for (const GpuType& type : cluster.gpu_types) { text += type_text(type); }
    text += "nodes:\n";
    for (const NodeGroup& group : cluster.nodes) { text += group_text(group, cluster); }
    if (!cluster.network.empty()) { text += "network:\n"; }
    for (const NetworkLevel& level : cluster.network) { text += level_text(level); }
    return text;
}

}  // namespace medley::io
