#include "cli/cmd_worker.h"

#include <limits>
#include <memory>

#include <CLI/CLI.hpp>

#include "cli/options.h"
#include "executor/session/run_worker.h"

namespace medley::cli {
namespace {

struct WorkerArguments {
    std::string run;
    std::int64_t number = -1;
    std::string bind = "127.0.0.1";
};

int run(const WorkerArguments& arguments) {
    return executor::run_worker(
        {.worker = static_cast<executor::WorkerNumber>(arguments.number), .directory = arguments.run, .bind_address = arguments.bind});
}

}  // namespace

Work set_up_worker(CLI::App& app, const Console&) {
    const auto arguments = std::make_shared<WorkerArguments>();
    app.add_option("--run", arguments->run, "Folder of the run, which holds its secret and its coordinator's address")
        ->required()
        ->type_name("DIR");
    add_whole(app, "--number", arguments->number, {0, std::numeric_limits<executor::WorkerNumber>::max()}, "Its number, as launched")
        ->required();
    app.add_option("--bind", arguments->bind, "Address of this machine that the other workers reach")->type_name("ADDR");
    return [arguments] { return run(*arguments); };
}

}  // namespace medley::cli
