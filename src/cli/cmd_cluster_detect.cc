#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/cluster_output.h"
#include "cli/cmd_cluster.h"
#include "cli/data_folder.h"
#include "cli/device_cluster.h"
#include "cli/trace_output.h"
#include "executor/engines/engine.h"
#include "io/cluster_file.h"
#include "io/cluster_writing.h"

namespace medley::cli {
namespace {

void report(const Console& console, const std::string& output, const Cluster& cluster) {
    if (console.json) {
        io::JsonWriter json;
        json.begin_object().field("format", 1);
        add_cluster_fields(json, cluster);
        json.end_object();
        return console.print(json.text());
    }
    if (to_standard_output(output)) { return; }
    console.print(cluster_table(cluster));
    console.note(fmt::format("written to {}", output));
}

int run(const Console& console, const std::string& output) {
    check_trace_output(console, output);
    const executor::DevicesFound found = executor::find_devices();
    const Cluster cluster = cluster_of_devices(found, io::load_gpu_types(gpu_catalogue()));
    if (!found.note.empty()) { console.note(fmt::format("note: {}: the processor stands for one device", found.note)); }
    write_trace(console, output, io::format_cluster(cluster, "the devices of one machine, as its driver names them"));
    report(console, output, cluster);
    return kDone;
}

}  // namespace

Work set_up_cluster_detect(CLI::App& app, const Console& console) {
    const auto output = std::make_shared<std::string>();
    app.add_option("-o,--output", *output, "Cluster file to write (YAML); default: standard output")->type_name("FILE");
    return [&console, output] { return run(console, *output); };
}

}  // namespace medley::cli
