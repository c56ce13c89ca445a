#include "cli/cmd_gpus.h"

#include <memory>

#include <CLI/CLI.hpp>

#include "cli/data_folder.h"
#include "cli/table.h"
#include "io/cluster_file.h"
#include "io/results/json_writer.h"

namespace medley::cli {
namespace {

void print_json(const Console& console, const std::vector<GpuType>& types) {
    io::JsonWriter json;
    json.begin_object().field("format", 1).key("gpu_types").begin_array();
    for (const GpuType& type : types) {
        json.begin_object().field("name", type.name).field("memory_bytes", type.memory);
        json.field("fp32_tflops", type.fp32_tflops).field("fp16_tflops", type.fp16_tflops).field("memory_gb_per_s", type.memory_gb_per_s);
        json.field("power_w", type.power_w).field("price_usd_per_hour", type.price_usd_per_hour).end_object();
    }
    json.end_array().end_object();
    console.print(json.text());
}

void print_table(const Console& console, const std::vector<GpuType>& types) {
    Table table({{"GPU type", Align::kLeft},
                 {"memory (GiB)"},
                 {"fp32 (TFLOP/s)"},
                 {"fp16 (TFLOP/s)"},
                 {"memory (GB/s)"},
                 {"power (W)"},
                 {"price (USD/h)"}});
    for (const GpuType& type : types) {
        const auto gib = type.memory ? std::optional(type.memory->value / kBytesPerGib) : std::nullopt;
        table.add_row({type.name.text(), show_number(gib), show_number(type.fp32_tflops), show_number(type.fp16_tflops),
                       show_number(type.memory_gb_per_s), show_number(type.power_w), show_number(type.price_usd_per_hour)});
    }
    console.print(table.text());
}

int run(const Console& console, const std::string& cluster) {
    const std::vector<GpuType> types = cluster.empty() ? io::load_gpu_types(gpu_catalogue()) : io::load_cluster(cluster).gpu_types;
    console.json ? print_json(console, types) : print_table(console, types);
    return kDone;
}

}  // namespace

Work set_up_gpus(CLI::App& app, const Console& console) {
    const auto cluster = std::make_shared<std::string>();
    app.add_option("--cluster", *cluster, "Show the types of this cluster file instead of the catalogue")->type_name("FILE");
    return [&console, cluster] { return run(console, *cluster); };
}

}  // namespace medley::cli
