#include "cli/run_results.h"

#include <vector>

#include "cli/data_folder.h"
#include "core/error.h"
#include "executor/report/run_events.h"
#include "io/cluster_file.h"
#include "io/results/results_directory.h"
#include "sched/metrics.h"
#include "sched/tee_sink.h"

namespace medley::cli {
namespace {

/// Prices and powers, where the catalogue of GPU types is at hand.
std::vector<HeaderRecord::Type> known_types() {
    std::vector<HeaderRecord::Type> types;
    try {
        for (const GpuType& type : io::load_gpu_types(gpu_catalogue())) {
            types.push_back({.name = type.name, .gpus = 0, .price_usd_per_hour = type.price_usd_per_hour, .power_w = type.power_w});
        }
    } catch (const Error&) { types.clear(); }
    return types;
}

}  // namespace

void write_run_results(const std::filesystem::path& directory, const RunResult& result, const executor::RunHistory& history,
                       const PictureOptions& options) {
    Pictures pictures(options);
    io::ResultsDirectory results(directory);
    Metrics metrics({}, pictures.ledger_detail());
    std::vector<EventSink*> sinks{&metrics, &results.events()};
    if (options.any()) { sinks.push_back(&pictures.events()); }
    TeeSink tee(sinks);
    executor::send_events({.job_id = result.setup.job.name,
                           .model = Name(model_type(result.setup.job.model)),
                           .seed = result.setup.job.seed,
                           .steps = result.setup.job.steps,
                           .types = known_types()},
                          history, tee);
    const std::string summary = run_json(result);
    results.finish(metrics, summary);
    pictures.write(results, metrics, summary);
    results.commit();
}

}  // namespace medley::cli
