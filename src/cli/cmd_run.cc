#include "cli/cmd_run.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/options.h"
#include "cli/pictures.h"
#include "cli/run_directory.h"
#include "cli/run_output.h"
#include "cli/run_plan.h"
#include "cli/run_progress.h"
#include "cli/run_results.h"
#include "core/error.h"
#include "executor/session/held_signals.h"
#include "executor/session/run_job.h"

namespace medley::cli {
namespace {

namespace fs = std::filesystem;
using executor::RunOutcome;

constexpr std::int64_t kMostSteps = 1'000'000'000'000;

constexpr Seconds kShortestLease{3};  // the coordinator's word comes once a second

struct Options {
    RunRequest request;
    std::string out;
    std::string resume;
    std::string bind = "127.0.0.1";
    std::uint64_t seed = 0;
    Seconds lease{60};
    bool dry_run = false;
    PictureOptions pictures;
};

/// What a run is reported from, while and after it lasts.
struct Watched {
    executor::RunSetup setup;
    std::optional<Prediction> prediction;
    std::string no_prediction;
    fs::path directory;
    std::vector<executor::TimedRecord> records;
    PictureOptions pictures;
};

std::int64_t global_batch(const executor::RunSetup& setup) {
    std::int64_t sum = 0;
    for (const std::int64_t size : setup.virtual_nodes) { sum += size; }
    return sum;
}

executor::RunOptions session_options(const Options& options, const fs::path& directory, const Console& console, RunProgress& progress) {
    executor::RunOptions session;
    session.directory = fs::absolute(directory);
    session.bind_address = options.bind;
    session.program = fs::read_symlink("/proc/self/exe").string();
    session.warn = [&progress](const std::string& line) { progress.note("warning: " + line); };
    session.detail = [&console](const std::string& line) { console.detail(line); };
    return session;
}

/// A run that its user stopped ended in order, but its work is not done.
int report(const Console& console, const Watched& watched, const RunOutcome& outcome, Seconds wall) {
    const executor::RunHistory history = executor::make_history(outcome.earlier, watched.records);
    RunResult result{.setup = watched.setup,
                     .report = executor::make_report(watched.setup, history),
                     .prediction = watched.prediction,
                     .no_prediction = watched.no_prediction,
                     .directory = watched.directory.string(),
                     .reason = outcome.reason,
                     .wall = wall};
    result.done = outcome.succeeded && result.report.finished;
    if (result.done && result.reason == "finished") { result.reason.clear(); }
    write_run_results(watched.directory, result, history, watched.pictures);
    console.print(console.json ? run_json(result) : run_text(result));
    if (result.done) {
        if (!result.reason.empty()) { console.note("note: " + result.reason); }
        return kDone;
    }
    console.note(fmt::format("medley: the run ended after step {} of {}: {} (medley run --resume {} goes on)", result.report.steps,
                             watched.setup.job.steps, outcome.reason, result.directory));
    return kWorkFailed;
}

/// `act` runs the session to its end, telling the observer.
template <class Act>
int watch(const Console& console, const Options& options, Watched& watched, const Act& act) {
    const auto start = std::chrono::steady_clock::now();
    watched.pictures = options.pictures;
    RunOutcome outcome;
    {
        RunProgress progress(
            console, {.steps = watched.setup.job.steps,
                      .global_batch = global_batch(watched.setup),
                      .predicted_samples_per_s = watched.prediction ? std::optional(watched.prediction->samples_per_s) : std::nullopt});
        const auto observe = [&](const executor::Record& record, double seconds) {
            watched.records.push_back({.record = record, .seconds = seconds});
            progress.show(record, seconds);
        };
        outcome = act(session_options(options, watched.directory, console, progress), observe);
    }
    return report(console, watched, outcome, Seconds{std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()});
}

int start(const Console& console, const Options& options) {
    PreparedRun run = prepare_run(options.request, console);
    if (options.dry_run) {
        console.print(console.json ? placement_json(run.setup, run.placement, run.prediction)
                                   : placement_text(run.setup, run.placement, run.prediction, run.no_prediction));
        return kDone;
    }
    Watched watched{.setup = run.setup,
                    .prediction = run.prediction,
                    .no_prediction = run.no_prediction,
                    .directory = options.out.empty() ? fs::path(kRunsFolder) / run.setup.job.name : fs::path(options.out),
                    .records = {}};
    const executor::HeldSignals held;
    const NewRunDirectory directory(watched.directory);
    write_extras(watched.directory, run);
    watched.setup.directory = fs::absolute(watched.directory).lexically_normal().string();
    return watch(console, options, watched, [&](executor::RunOptions session, const executor::RunObserver& observe) {
        session.planned = std::move(run.planned);
        return executor::run_job(watched.setup, run.placement, session, observe);
    });
}

void refuse_with_resume(const std::string& option, const std::string& value) {
    if (!value.empty()) { refuse_value(option, value, "nothing beside --resume: a run goes on as it began"); }
}

int resume(const Console& console, const Options& options) {
    refuse_with_resume("PLAN", options.request.plan);
    refuse_with_resume("--job", options.request.job);
    refuse_with_resume("--workers", options.request.workers);
    refuse_with_resume("--resize-plan", options.request.resize_plan);
    refuse_with_resume("--out", options.out);
    const fs::path directory = find_run("--resume", options.resume);
    const executor::RunDescription run = executor::read_run(directory);
    const RunExtras extras = read_extras(directory);
    Watched watched{.setup = run.setup, .prediction = {}, .no_prediction = {}, .directory = directory, .records = {}};
    watched.prediction = predict(run.setup, run.placement, extras.profile ? &*extras.profile : nullptr, watched.no_prediction);
    return watch(console, options, watched, [&](executor::RunOptions session, const executor::RunObserver& observe) {
        session.planned = planned_placements(extras.resizes, run.setup, extras, run.placement);
        return executor::resume_job(session, observe);
    });
}

void add_run_options(CLI::App& app, Options& options) {
    RunRequest& request = options.request;
    app.add_option("plan", request.plan, "Plan: its virtual nodes and where they lie (medley plan -o)")->type_name("PLAN");
    app.add_option("--job", request.job, "Job file: model, data, optimizer, steps (YAML)")->type_name("FILE");
    app.add_option("--out", options.out, "Folder of the run (default: runs/<name of the job>)")->type_name("DIR");
    app.add_option("--resume", options.resume, "Go on with the run in this folder")->type_name("DIR");
    add_choice(app, "--device", request.device, {"auto", "cpu", "cuda"},
               "What stands for the plan's GPUs (default: GPUs if there are any)");
    app.add_option("--workers", request.workers,
                   "Leave the plan's GPUs aside: spread its virtual nodes over N workers, or give each so many (4,2,2)")
        ->type_name("N|LIST");
    add_choice(app, "--collective", request.collective, {"auto", "gloo", "host", "nccl"}, "How workers sum (default: by device)");
    app.add_flag("--exact", request.exact, "Sums without rounding: the same bits for every mapping");
    add_choice(app, "--mode", request.mode, {"train", "inference"}, "Train (default), or run forward once over the data");
    app.add_option("--resize-plan", request.resize_plan, "Changes of devices on the way (YAML)")->type_name("FILE");
    add_whole(app, "--steps", request.steps, {1, kMostSteps}, "In place of the job file's");
    app.add_option("--profiles", request.profiles, "Folder of profiles, for the prediction (default: MEDLEY_PROFILES, else profiles)")
        ->type_name("DIR");
    add_duration(app, "--lease", options.lease, "How long workers train on without a coordinator (default: 60 s)");
    app.add_option("--bind", options.bind, "Address to listen on (default: 127.0.0.1, this machine alone)")->type_name("ADDRESS");
    add_picture_options(app, options.pictures);
    app.add_flag("--dry-run", options.dry_run, "Check everything and show the placement; start nothing");
}

}  // namespace

Work set_up_run(CLI::App& app, const Console& console) {
    const auto options = std::make_shared<Options>();
    add_run_options(app, *options);
    CLI::Option* seed = add_seed(app, options->seed);
    return [&console, options, seed] {
        if (seed->count() > 0) { options->request.seed = options->seed; }
        if (options->lease < kShortestLease) { refuse_value("--lease", fmt::format("{} s", options->lease.value), "at least 3 s"); }
        require_pictures(options->pictures);
        options->request.lease_s = options->lease.value;
        return options->resume.empty() ? start(console, *options) : resume(console, *options);
    };
}

}  // namespace medley::cli
