#include "cli/cmd_cluster.h"

#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/table.h"
#include "io/cluster_file.h"
#include "io/results/json_writer.h"

namespace medley::cli {
namespace {

int node_count(const Cluster& cluster, GpuTypeId type) {
    int count = 0;
    for (const NodeGroup& group : cluster.nodes) { count += group.gpu == type ? group.count : 0; }
    return count;
}

void print_json(const Console& console, const Cluster& cluster) {
    const std::vector<int> capacity = cluster.capacity();
    io::JsonWriter json;
    json.begin_object().field("format", 1).field("valid", true).field("name", cluster.name).field("gpus", cluster.total_gpus());
    json.key("gpu_types").begin_array();
    for (std::size_t index = 0; index < cluster.gpu_types.size(); ++index) {
        json.begin_object().field("gpu_type", cluster.gpu_types[index].name).field("gpus", capacity[index]);
        json.field("nodes", node_count(cluster, GpuTypeId(index))).end_object();
    }
    json.end_array().field("network_levels", cluster.network.size()).end_object();
    console.print(json.text());
}

void print_table(const Console& console, const std::string& file, const Cluster& cluster) {
    const std::vector<int> capacity = cluster.capacity();
    const auto gpus = static_cast<std::uint64_t>(cluster.total_gpus());
    console.print(fmt::format("{}: valid, {}, {}\n", file, count_of(gpus, "GPU"), count_of(cluster.network.size(), "network level")));
    Table table({{"GPU type", Align::kLeft}, {"nodes"}, {"GPUs"}, {"memory (GiB)"}, {"price (USD/h)"}, {"power (W)"}});
    for (std::size_t index = 0; index < cluster.gpu_types.size(); ++index) {
        const GpuType& type = cluster.gpu_types[index];
        const auto gib = type.memory ? std::optional(type.memory->value / kBytesPerGib) : std::nullopt;
        table.add_row({type.name.text(), fmt::format("{}", node_count(cluster, GpuTypeId(index))), fmt::format("{}", capacity[index]),
                       show_number(gib), show_number(type.price_usd_per_hour), show_number(type.power_w)});
    }
    console.print(table.text());
}

int run(const Console& console, const std::string& file) {
    const Cluster cluster = io::load_cluster(file);
    if (console.json) {
        print_json(console, cluster);
    } else {
        print_table(console, file, cluster);
    }
    return kDone;
}

}  // namespace

Work set_up_cluster_validate(CLI::App& app, const Console& console) {
    const auto file = std::make_shared<std::string>();
    app.add_option("cluster", *file, "Cluster file (YAML)")->required()->type_name("FILE");
    return [&console, file] { return run(console, *file); };
}

}  // namespace medley::cli
