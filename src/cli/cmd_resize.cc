#include "cli/cmd_resize.h"

#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/run_directory.h"
#include "cli/run_output.h"
#include "cli/run_plan.h"
#include "core/error.h"
#include "executor/report/run_history.h"
#include "executor/session/operator_client.h"
#include "executor/session/run_job.h"
#include "io/results/json_writer.h"

namespace medley::cli {
namespace {

struct Options {
    std::string job;
    std::string to;
};

executor::RequestReply ask(const std::filesystem::path& directory, const executor::Message& request) {
    const executor::Message answer = executor::ask_coordinator(directory, request);
    if (const auto* reply = std::get_if<executor::RequestReply>(&answer)) { return *reply; }
    throw Error(Problem{.file = directory.string(), .message = "the coordinator gave an answer that was not asked for"});
}

int run(const Console& console, const Options& options) {
    const std::filesystem::path directory = find_run("JOB", options.job);
    const executor::RunDescription description = executor::read_run(directory);
    const RunExtras extras = read_extras(directory);
    const executor::Placement placement = placement_for("--to", options.to, description.setup, extras, description.placement);
    std::string no_prediction;
    const auto prediction = predict(description.setup, placement, extras.profile ? &*extras.profile : nullptr, no_prediction);
    const executor::RequestReply reply = ask(directory, executor::ResizeRequest{.placement = placement});
    if (console.json) {
        io::JsonWriter json;
        json.begin_object().field("format", 1).field("job", description.setup.job.name).field("accepted", reply.accepted);
        json.field("message", reply.message).field("to", executor::device_counts(placement));
        json.field("predicted_throughput_samples_per_s", prediction ? std::optional(prediction->samples_per_s) : std::nullopt);
        console.print(json.end_object().text());
    } else if (reply.accepted) {
        console.print(fmt::format("{}: to {}{}{}\n", description.setup.job.name, executor::device_counts(placement),
                                  reply.message.empty() ? "" : ": ", reply.message));
    }
    if (reply.accepted) { return kDone; }
    console.note(fmt::format("medley: refused: {}", reply.message));
    return kWorkFailed;
}

}  // namespace

Work set_up_resize(CLI::App& app, const Console& console) {
    const auto options = std::make_shared<Options>();
    app.add_option("job", options->job, "Folder of the run, or its name below runs/")->required()->type_name("JOB");
    app.add_option("--to", options->to,
                   "GPUs by type (V100=1,P100=2), a number of workers, the virtual nodes of each (4,2,2), or a plan file")
        ->required()
        ->type_name("SPEC");
    return [&console, options] { return run(console, *options); };
}

}  // namespace medley::cli
