#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/cmd_trace.h"
#include "cli/options.h"
#include "cli/table.h"
#include "cli/trace_output.h"
#include "core/error.h"
#include "io/results/json_writer.h"
#include "io/trace_file.h"
#include "simulator/cluster/synthetic.h"

namespace medley::cli {
namespace {

constexpr double kMostJobsPerHour = 1e9;
constexpr std::int64_t kMostJobs = 100'000'000;
constexpr std::int64_t kLargestGang = 1'000'000;

struct Options {
    simulator::SyntheticOptions synthetic;
    std::int64_t jobs = 1000;
    std::int64_t gpus = 0;
    double load = 0;
    std::string output;
};

/// "1=0.7,4=0.3": gang sizes and how often they come, relative to each other.
std::vector<simulator::GangWeight> parse_gangs(const std::string& text) {
    std::vector<simulator::GangWeight> gangs;
    for (const std::string& part : parse_list("--gangs", text, ',')) {
        const std::size_t equals = part.find('=');
        if (equals == std::string::npos) { refuse_value("--gangs", part, "GPUS=WEIGHT, as in 1=0.7"); }
        gangs.push_back({.gpus = static_cast<int>(parse_whole("--gangs", part.substr(0, equals), 1, kLargestGang)),
                         .weight = parse_number("--gangs", part.substr(equals + 1), 0, kMostJobsPerHour)});
    }
    return gangs;
}

std::vector<Name> parse_models(const std::string& text) {
    std::vector<Name> models;
    for (const std::string& model : parse_list("--models", text, ',')) { models.emplace_back(model); }
    return models;
}

void report(const Console& console, const Options& options, std::size_t jobs) {
    if (!console.json) {
        console.note(fmt::format("{}: {}, {:.6g} an hour", options.output, count_of(jobs, "job"), options.synthetic.jobs_per_hour));
        return;
    }
    io::JsonWriter json;
    json.begin_object().field("format", 1).field("output", options.output).field("jobs", jobs);
    json.field("jobs_per_hour", options.synthetic.jobs_per_hour).field("seed", options.synthetic.seed).end_object();
    console.print(json.text());
}

int run(const Console& console, Options options) {
    check_trace_output(console, options.output);
    options.synthetic.jobs = static_cast<std::size_t>(options.jobs);
    if (options.load > 0) {
        if (options.gpus == 0) { refuse_value("--load", fmt::format("{}", options.load), "--gpus beside it"); }
        options.synthetic.jobs_per_hour =
            simulator::jobs_per_hour_for_load(options.synthetic, options.load, static_cast<int>(options.gpus));
    }
    const Trace trace = simulator::generate(options.synthetic);
    write_trace(console, options.output, io::format_trace(trace));
    if (!to_standard_output(options.output)) { report(console, options, trace.jobs.size()); }
    return kDone;
}

void add_arrival_options(CLI::App& app, Options& options) {
    CLI::Option* rate = add_number(app, "--jobs-per-hour", options.synthetic.jobs_per_hour, {0, kMostJobsPerHour},
                                   "Mean rate of arrivals (Poisson; default 60; 0 = all at once)");
    CLI::Option* load = add_number(app, "--load", options.load, {1e-6, 1e6}, "Arrival rate from the mean demand, as a multiple of --gpus");
    load->excludes(rate);
    add_whole(app, "--gpus", options.gpus, {1, kLargestGang}, "GPUs that --load refers to");
}

void add_job_options(CLI::App& app, Options& options) {
    simulator::SyntheticOptions& synthetic = options.synthetic;
    app.add_option_function<std::string>(
           "--gangs", [&synthetic](const std::string& text) { synthetic.gangs = parse_gangs(text); },
           "Gang sizes with their weights (default 1=0.7,2=0.1,4=0.15,8=0.05)")
        ->type_name("GPUS=W,...");
    add_duration(app, "--shortest", synthetic.shortest, "Shortest duration; log-uniform between the two (default 60 s)");
    add_duration(app, "--longest", synthetic.longest, "Longest duration (default 10 h)");
    app.add_option_function<std::string>(
           "--models", [&synthetic](const std::string& text) { synthetic.models = parse_models(text); },
           "Models, evenly at random (default none)")
        ->type_name("NAME,...");
    app.add_option_function<std::string>(
           "--reference-gpu-type", [&synthetic](const std::string& text) { synthetic.reference_gpu_type = Name(text); },
           "The GPU type the durations are meant for")
        ->type_name("TYPE");
    add_number(app, "--high-priority-fraction", synthetic.high_priority_fraction, {0, 1}, "Share of jobs with priority 5 instead of 1");
    add_number(app, "--elastic-fraction", synthetic.elastic_fraction, {0, 1}, "Share of jobs that may shrink to one GPU");
}

}  // namespace

Work set_up_trace_generate(CLI::App& app, const Console& console) {
    const auto options = std::make_shared<Options>();
    add_whole(app, "--jobs", options->jobs, {1, kMostJobs}, "Number of jobs (default 1000)");
    add_arrival_options(app, *options);
    add_job_options(app, *options);
    add_seed(app, options->synthetic.seed);
    app.add_option("-o,--output", options->output, "Trace to write (CSV; default standard output)")->type_name("OUT");
    return [&console, options] { return run(console, *options); };
}

}  // namespace medley::cli
