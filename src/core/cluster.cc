#include "core/cluster.h"

#include <cmath>
#include <set>

#include <fmt/format.h>

#include "core/error.h"

namespace medley {
namespace {

constexpr int kMostGpus = 100'000'000;

void require_positive(double value, const std::string& place) {
    if (!(value > 0) || !std::isfinite(value)) { refuse_value(place, fmt::format("{}", value), "a finite number above 0"); }
}

void require_not_negative(double value, const std::string& place) {
    if (!(value >= 0) || !std::isfinite(value)) { refuse_value(place, fmt::format("{}", value), "a finite number of at least 0"); }
}

void validate_type(const GpuType& type) {
    const std::string place = fmt::format("gpu_types.{}", type.name.text());
    if (type.memory) { require_positive(type.memory->value, place + ".memory_gib"); }
    if (type.price_usd_per_hour) { require_not_negative(*type.price_usd_per_hour, place + ".price_usd_per_hour"); }
    if (type.power_w) { require_positive(*type.power_w, place + ".power_w"); }
    if (type.fp32_tflops) { require_positive(*type.fp32_tflops, place + ".fp32_tflops"); }
    if (type.fp16_tflops) { require_positive(*type.fp16_tflops, place + ".fp16_tflops"); }
    if (type.memory_gb_per_s) { require_positive(*type.memory_gb_per_s, place + ".memory_gb_per_s"); }
}

void validate_link(const Link& link, const std::string& place, const std::string& prefix) {
    require_positive(link.bandwidth.value, fmt::format("{}.{}gb_per_s", place, prefix));
    require_not_negative(link.latency.value, fmt::format("{}.{}latency_us", place, prefix));
}

void validate_nodes(const NodeGroup& group, std::size_t index, std::size_t types) {
    const std::string place = fmt::format("nodes[{}]", index);
    if (group.count < 1) { refuse_value(place + ".count", fmt::format("{}", group.count), "a whole number of at least 1"); }
    if (group.gpus < 1) { refuse_value(place + ".gpus", fmt::format("{}", group.gpus), "a whole number of at least 1"); }
    if (!group.gpu.valid() || group.gpu.index() >= types) { refuse_value(place + ".gpu", "", "a type listed under gpu_types"); }
    if (group.intra) { validate_link(*group.intra, place, "intra_"); }
}

void validate_levels(const std::vector<NetworkLevel>& levels) {
    std::optional<int> below = 1;
    for (std::size_t index = 0; index < levels.size(); ++index) {
        const std::string place = fmt::format("network[{}]", index);
        const NetworkLevel& level = levels[index];
        validate_link(level.link, place, "");
        require_positive(level.oversubscription, place + ".oversubscription");
        if (!below) { refuse_value(place, level.name, "no level above one that spans all nodes (give the lower one `nodes`)"); }
        if (level.nodes && *level.nodes < *below) {
            refuse_value(place + ".nodes", fmt::format("{}", *level.nodes), fmt::format("at least the {} of the level below", *below));
        }
        below = level.nodes;
    }
}

}  // namespace

void Cluster::validate() const {
    if (gpu_types.empty()) { refuse_value("gpu_types", "", "at least one GPU type"); }
    if (nodes.empty()) { refuse_value("nodes", "", "at least one group of nodes"); }
    std::set<Name> names;
    for (const GpuType& type : gpu_types) {
        if (type.name.empty()) { refuse_value("gpu_types", "", "a name for every type"); }
        if (!names.insert(type.name).second) { refuse_value("gpu_types", type.name.text(), "each type once"); }
        validate_type(type);
    }
    double total = 0;
    for (std::size_t index = 0; index < nodes.size(); ++index) {
        validate_nodes(nodes[index], index, gpu_types.size());
        total += static_cast<double>(nodes[index].count) * nodes[index].gpus;
    }
    if (total > kMostGpus) { refuse_value("nodes", fmt::format("{} GPUs in all", total), fmt::format("at most {} GPUs", kMostGpus)); }
    validate_levels(network);
}

std::optional<GpuTypeId> Cluster::find(std::string_view gpu_type) const {
    for (std::size_t index = 0; index < gpu_types.size(); ++index) {
        if (gpu_types[index].name.text() == gpu_type) { return GpuTypeId(index); }
    }
    return std::nullopt;
}

std::vector<int> Cluster::capacity() const {
    std::vector<int> gpus(gpu_types.size(), 0);
    for (const NodeGroup& group : nodes) { gpus[group.gpu.index()] += group.count * group.gpus; }
    return gpus;
}

int Cluster::total_gpus() const {
    int total = 0;
    for (const NodeGroup& group : nodes) { total += group.count * group.gpus; }
    return total;
}

}  // namespace medley
