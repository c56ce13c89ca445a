#include "tests/support/simulated_run.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "io/results/event_log_writer.h"
#include "io/results/json_writer.h"
#include "io/results/output_file.h"
#include "io/results/summary_json.h"
#include "sched/tee_sink.h"

namespace medley::test {
namespace {

std::filesystem::path scratch_file() {
    return std::filesystem::temp_directory_path() / ("medley-test-" + std::to_string(::getpid()) + ".jsonl");
}

std::string take_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    std::filesystem::remove(path);
    return text;
}

}  // namespace

SimulatedRun run_simulation(const Cluster& cluster, const Trace& trace, const CostModel& speeds, Policy& policy,
                            const simulator::SimulationOptions& options, Window window) {
    SimulatedRun run;
    Metrics metrics(window, LedgerDetail::kOverTime);
    const std::filesystem::path path = scratch_file();
    {
        io::OutputFile file(path);
        io::EventLogWriter writer(file);
        TeeSink sinks({&metrics, &writer});
        run.result = simulator::simulate(cluster, trace, speeds, speeds, policy, sinks, options);
        file.commit();
    }
    run.events = take_file(path);
    run.summary = metrics.summary();
    io::JsonWriter json;
    io::write_summary(json, run.summary, {});
    run.summary_json = json.text();
    for (std::size_t index = 0; index < metrics.job_count(); ++index) {
        run.rows.push_back(metrics.row(index));
        run.rows.back().id = {};
    }
    run.utilization = metrics.utilization();
    run.distributions = metrics.distributions();
    run.ledger_over_time = metrics.ledger_over_time();
    return run;
}

}  // namespace medley::test
