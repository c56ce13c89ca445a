#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/cmd_trace.h"
#include "cli/table.h"
#include "cli/workload.h"
#include "io/results/json_writer.h"
#include "io/trace_file.h"

namespace medley::cli {
namespace {

struct Options {
    std::string trace;
    std::string cluster;
    std::string profiles;
};

std::size_t check(const Console& console, const Options& options) {
    if (options.cluster.empty()) { return io::load_trace(options.trace).jobs.size(); }
    WorkloadOptions workload;
    workload.trace = options.trace;
    workload.cluster = options.cluster;
    workload.profiles = options.profiles;
    const Workload loaded = load_workload(workload);
    note_surprises(console, loaded, workload);
    return loaded.trace.jobs.size();
}

int run(const Console& console, const Options& options) {
    const std::size_t jobs = check(console, options);
    if (!console.json) {
        console.print(fmt::format("{}: valid, {}{}\n", options.trace, count_of(jobs, "job"),
                                  options.cluster.empty() ? "" : fmt::format(", all of which {} can run", options.cluster)));
        return kDone;
    }
    io::JsonWriter json;
    json.begin_object().field("format", 1).field("valid", true).field("trace", options.trace).field("jobs", jobs).end_object();
    console.print(json.text());
    return kDone;
}

}  // namespace

Work set_up_trace_validate(CLI::App& app, const Console& console) {
    const auto options = std::make_shared<Options>();
    app.add_option("trace", options->trace, "Trace (CSV)")->required()->type_name("FILE");
    app.add_option("--cluster", options->cluster, "Check that this cluster can run every job, too")->type_name("FILE");
    app.add_option("--profiles", options->profiles, "Check models against these profiles too")->type_name("DIR")->needs("--cluster");
    return [&console, options] { return run(console, *options); };
}

}  // namespace medley::cli
