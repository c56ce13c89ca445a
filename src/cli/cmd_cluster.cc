#include "cli/cmd_cluster.h"

#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/cluster_output.h"
#include "cli/table.h"
#include "io/cluster_file.h"

namespace medley::cli {
namespace {

void print_json(const Console& console, const Cluster& cluster) {
    io::JsonWriter json;
    json.begin_object().field("format", 1).field("valid", true);
    add_cluster_fields(json, cluster);
    json.end_object();
    console.print(json.text());
}

void print_table(const Console& console, const std::string& file, const Cluster& cluster) {
    const auto gpus = static_cast<std::uint64_t>(cluster.total_gpus());
    console.print(fmt::format("{}: valid, {}, {}\n", file, count_of(gpus, "GPU"), count_of(cluster.network.size(), "network level")));
    console.print(cluster_table(cluster));
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
