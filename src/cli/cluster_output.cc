#include "cli/cluster_output.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/data_folder.h"
#include "cli/table.h"
#include "io/cluster_file.h"

namespace medley::cli {
namespace {

int node_count(const Cluster& cluster, GpuTypeId type) {
    int count = 0;
    for (const NodeGroup& group : cluster.nodes) { count += group.gpu == type ? group.count : 0; }
    return count;
}

}  // namespace

std::string cluster_table(const Cluster& cluster) {
    const std::vector<int> capacity = cluster.capacity();
    Table table({{"GPU type", Align::kLeft}, {"nodes"}, {"GPUs"}, {"memory (GiB)"}, {"price (USD/h)"}, {"power (W)"}});
    for (std::size_t index = 0; index < cluster.gpu_types.size(); ++index) {
        const GpuType& type = cluster.gpu_types[index];
        const auto gib = type.memory ? std::optional(type.memory->value / kBytesPerGib) : std::nullopt;
        table.add_row({type.name.text(), fmt::format("{}", node_count(cluster, GpuTypeId(index))), fmt::format("{}", capacity[index]),
                       show_number(gib), show_number(type.price_usd_per_hour), show_number(type.power_w)});
    }
    return table.text();
}

void add_cluster_fields(io::JsonWriter& json, const Cluster& cluster) {
    const std::vector<int> capacity = cluster.capacity();
    json.field("name", cluster.name).field("gpus", cluster.total_gpus()).key("gpu_types").begin_array();
    for (std::size_t index = 0; index < cluster.gpu_types.size(); ++index) {
        json.begin_object().field("gpu_type", cluster.gpu_types[index].name).field("gpus", capacity[index]);
        json.field("nodes", node_count(cluster, GpuTypeId(index))).end_object();
    }
    json.end_array().field("network_levels", cluster.network.size());
}

void add_catalogue_figures(Cluster& cluster) {
    const std::vector<GpuType> known = io::load_gpu_types(gpu_catalogue());
    for (GpuType& type : cluster.gpu_types) {
        const auto found = std::find_if(known.begin(), known.end(), [&](const GpuType& each) { return each.name == type.name; });
        if (found == known.end()) { continue; }
        const auto fill = [](auto& figure, const auto& from) { figure = figure ? figure : from; };
        fill(type.memory, found->memory);
        fill(type.price_usd_per_hour, found->price_usd_per_hour);
        fill(type.power_w, found->power_w);
        fill(type.fp32_tflops, found->fp32_tflops);
        fill(type.fp16_tflops, found->fp16_tflops);
        fill(type.memory_gb_per_s, found->memory_gb_per_s);
    }
}

}  // namespace medley::cli
