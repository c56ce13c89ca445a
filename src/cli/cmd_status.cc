#include "cli/cmd_status.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/run_directory.h"
#include "cli/run_output.h"
#include "cli/table.h"
#include "core/error.h"
#include "executor/session/operator_client.h"
#include "executor/session/run_job.h"
#include "io/results/json_writer.h"

namespace medley::cli {
namespace {

namespace fs = std::filesystem;
using executor::StatusReply;

template <class Reply>
Reply ask(const fs::path& directory, const executor::Message& request) {
    const executor::Message answer = executor::ask_coordinator(directory, request);
    if (const Reply* reply = std::get_if<Reply>(&answer)) { return *reply; }
    throw Error(Problem{.file = directory.string(), .message = "the coordinator gave an answer that was not asked for"});
}

StatusReply status_of(const fs::path& directory) { return ask<StatusReply>(directory, executor::StatusRequest{}); }

void write_status(io::JsonWriter& json, const StatusReply& status, const fs::path& directory) {
    json.begin_object().field("job", status.job).field("directory", directory.string()).field("phase", status.phase);
    json.field("step", status.step).field("steps", status.steps).field("loss", status.loss);
    json.field("throughput_samples_per_s", status.samples_per_s).field("generation", status.generation).field("term", status.term);
    json.key("workers").begin_array();
    for (const executor::WorkerStatus& worker : status.workers) {
        json.begin_object().field("worker", worker.worker).field("device", worker.device).field("gpu_type", worker.gpu_type);
        json.field("phase", worker.phase).field("process", worker.process).key("virtual_node_batches").begin_array();
        for (const std::int64_t size : worker.virtual_node_batches) { json.value(size); }
        json.end_array().end_object();
    }
    json.end_array().end_object();
}

std::string status_json(const StatusReply& status, const fs::path& directory) {
    io::JsonWriter json;
    write_status(json, status, directory);
    return json.text();
}

std::string status_text(const StatusReply& status, const fs::path& directory) {
    Table table({{"worker"},
                 {"process"},
                 {"device", Align::kLeft},
                 {"GPU type", Align::kLeft},
                 {"phase", Align::kLeft},
                 {"virtual nodes", Align::kLeft}});
    for (const executor::WorkerStatus& worker : status.workers) {
        table.add_row({fmt::format("{}", worker.worker), fmt::format("{}", worker.process), worker.device, worker.gpu_type, worker.phase,
                       describe_batches(worker.virtual_node_batches)});
    }
    return fmt::format("{} ({}): {}, step {} of {}, loss {}, {} samples/s\n\n{}", status.job, directory.string(), status.phase, status.step,
                       status.steps, show_number(status.loss), show_number(status.samples_per_s), table.text());
}

int show_status(const Console& console, const std::string& job) {
    const fs::path directory = find_run("JOB", job);
    const StatusReply status = status_of(directory);
    console.print(console.json ? status_json(status, directory) : status_text(status, directory));
    return kDone;
}

/// A run that has no coordinator now is known by its folder alone.
struct KnownRun {
    fs::path directory;
    std::string job;
    executor::Step steps = 0;
    std::optional<StatusReply> status;
};

KnownRun look_at(const fs::path& directory) {
    KnownRun run{.directory = directory, .job = directory.filename().string(), .steps = 0, .status = {}};
    try {
        const executor::RunDescription description = executor::read_run(directory);
        run.job = description.setup.job.name;
        run.steps = description.setup.job.steps;
        run.status = status_of(directory);
    } catch (const Error&) { run.status = std::nullopt; }
    return run;
}

std::vector<KnownRun> runs_below(const fs::path& folder) {
    std::vector<fs::path> directories;
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
        if (holds_run(entry->path())) { directories.push_back(entry->path()); }
    }
    std::sort(directories.begin(), directories.end());
    std::vector<KnownRun> runs;
    for (const fs::path& directory : directories) { runs.push_back(look_at(directory)); }
    return runs;
}

std::string list_json(const std::vector<KnownRun>& runs) {
    io::JsonWriter json;
    json.begin_object().field("format", 1).key("runs").begin_array();
    for (const KnownRun& run : runs) {
        json.begin_object().field("job", run.job).field("directory", run.directory.string()).field("running", run.status.has_value());
        json.field("phase", run.status ? std::optional(run.status->phase) : std::nullopt);
        json.field("step", run.status ? std::optional(run.status->step) : std::nullopt).field("steps", run.steps).end_object();
    }
    return json.end_array().end_object().text();
}

std::string list_text(const std::vector<KnownRun>& runs) {
    Table table({{"job", Align::kLeft}, {"phase", Align::kLeft}, {"step"}, {"of"}, {"workers"}, {"folder", Align::kLeft}});
    for (const KnownRun& run : runs) {
        table.add_row({run.job, run.status ? run.status->phase : "not running", run.status ? fmt::format("{}", run.status->step) : "-",
                       run.steps > 0 ? fmt::format("{}", run.steps) : "-", run.status ? fmt::format("{}", run.status->workers.size()) : "-",
                       run.directory.string()});
    }
    return table.text();
}

int list_runs(const Console& console, const std::string& folder) {
    const std::vector<KnownRun> runs = runs_below(folder);
    if (runs.empty()) { console.note(fmt::format("note: no runs in {}", folder)); }
    console.print(console.json ? list_json(runs) : list_text(runs));
    return kDone;
}

int cancel(const Console& console, const std::string& job) {
    const fs::path directory = find_run("JOB", job);
    const auto reply = ask<executor::RequestReply>(directory, executor::StopRequest{.reason = "cancelled by its user"});
    if (console.json) {
        io::JsonWriter json;
        json.begin_object().field("format", 1).field("directory", directory.string()).field("accepted", reply.accepted);
        console.print(json.field("message", reply.message).end_object().text());
    } else if (reply.accepted) {
        console.print(fmt::format("{}: stops after a checkpoint (medley run --resume {} goes on)\n", job, directory.string()));
    }
    if (reply.accepted) { return kDone; }
    console.note(fmt::format("medley: refused: {}", reply.message));
    return kWorkFailed;
}

Work with_job(CLI::App& app, const Console& console, int (*work)(const Console&, const std::string&)) {
    const auto job = std::make_shared<std::string>();
    app.add_option("job", *job, "Folder of the run, or its name below runs/")->required()->type_name("JOB");
    return [&console, job, work] { return work(console, *job); };
}

}  // namespace

Work set_up_status(CLI::App& app, const Console& console) { return with_job(app, console, show_status); }

Work set_up_cancel(CLI::App& app, const Console& console) { return with_job(app, console, cancel); }

Work set_up_list(CLI::App& app, const Console& console) {
    const auto folder = std::make_shared<std::string>(kRunsFolder);
    app.add_option("--runs", *folder, "Folder of runs (default: runs)")->type_name("DIR");
    return [&console, folder] { return list_runs(console, *folder); };
}

}  // namespace medley::cli
