#include "cli/cmd_simulate.h"

#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/experiment.h"
#include "cli/incomplete.h"
#include "cli/interruption.h"
#include "cli/options.h"
#include "cli/pictures.h"
#include "cli/progress.h"
#include "cli/summary_table.h"
#include "cli/timed_policy.h"
#include "io/results/results_directory.h"
#include "io/results/threaded_sink.h"
#include "sched/tee_sink.h"

namespace medley::cli {
namespace {

struct Options {
    WorkloadOptions workload;
    ExperimentOptions experiment;
    std::string policy;
    std::string out;
    PictureOptions pictures;
};

std::string summary_text(const Summary& summary, const io::WallTimes& wall) {
    io::JsonWriter json;
    io::write_summary(json, summary, wall);
    return json.text();
}

ProgressCallback shown_by(Progress& progress) {
    if (!progress.enabled()) { return {}; }
    return [&progress](const simulator::SimulationProgress& now) { progress.update(now.jobs_done, now.jobs_total); };
}

/// Simulates with metrics and files on a second thread.
io::WallTimes simulate(const Console& console, const Workload& workload, Policy& policy, const Options& options,
                       const std::vector<EventSink*>& sinks) {
    TeeSink tee(sinks);
    io::ThreadedSink log(tee);
    Progress progress(console, "jobs");
    const io::WallTimes wall = run_experiment(workload, policy, options.experiment, options.workload.seed, log, shown_by(progress));
    log.finish();
    return wall;
}

int run(const Console& console, const Options& options) {
    const Stopwatch stopwatch;
    require_pictures(options.pictures);
    Pictures pictures(options.pictures);
    make_named_policy("--policy", options.policy);  // refuses a wrong one before anything is read
    const Workload workload = load_workload(options.workload);
    const std::unique_ptr<Policy> policy = make_named_policy("--policy", options.policy, workload.rules);
    console.detail(fmt::format("read {} jobs by {:.2f} s", workload.trace.jobs.size(), stopwatch.elapsed_s()));
    note_surprises(console, workload, options.workload);
    Metrics metrics(options.experiment.window, pictures.ledger_detail());
    FirstRejection rejection;
    std::vector<EventSink*> sinks{&metrics, &rejection};
    const InterruptionGuard guard;
    std::optional<io::ResultsDirectory> results;
    if (!options.out.empty()) { sinks.push_back(&results.emplace(options.out).events()); }
    if (options.pictures.any()) { sinks.push_back(&pictures.events()); }
    io::WallTimes wall = simulate(console, workload, *policy, options, sinks);
    const Summary summary = metrics.summary();
    wall.total_s = stopwatch.elapsed_s();
    console.detail(fmt::format("simulated by {:.2f} s", wall.total_s));
    const std::string json = summary_text(summary, wall);
    if (results) {
        results->finish(metrics, json);
        pictures.write(*results, metrics, json);
        results->commit();
        console.detail(fmt::format("written by {:.2f} s", stopwatch.elapsed_s()));
    }
    console.print(console.json ? json : describe(summary, console.quiet ? "" : options.out));
    note_incomplete(console, rejection.of(summary));
    return kDone;
}

}  // namespace

Work set_up_simulate(CLI::App& app, const Console& console) {
    const auto options = std::make_shared<Options>();
    app.add_option("--trace", options->workload.trace, "Trace (CSV)")->required()->type_name("FILE");
    add_workload_options(app, options->workload);
    app.add_option("--policy", options->policy, "Scheduling policy (see medley policies)")->required()->type_name("NAME[:key=value,...]");
    add_experiment_options(app, options->experiment);
    add_seed(app, options->workload.seed);
    CLI::Option* out =
        app.add_option("--out", options->out, "Directory for summary.json, jobs.csv, events.jsonl and utilization.csv")->type_name("DIR");
    add_picture_options(app, options->pictures, out);
    return [&console, options] { return run(console, *options); };
}

}  // namespace medley::cli
