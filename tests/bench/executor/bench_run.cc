#include "tests/bench/executor/bench_run.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sched/statistics.h"
#include "tests/support/temporary_folder.h"

namespace medley::test {

using namespace medley::executor;

BenchRun bench_run(const RealJob& job) {
    return {.setup = job.setup(), .placement = job.placement(job.workers), .timeouts = job.timeouts()};
}

void carry_out(const BenchRun& run, const RunObserver& observer, const std::function<void(const std::filesystem::path&)>& started) {
    const TemporaryFolder folder;
    RunOptions options;
    options.directory = folder / "run";
    options.program = MEDLEY_TEST_RUN;
    options.timeouts = run.timeouts;
    options.timeouts.relaunches = 1000;
    if (started) { started(options.directory); }
    const RunOutcome outcome = run_job(run.setup, run.placement, options, observer);
    if (!outcome.succeeded) { fmt::print("the run failed: {}\n", outcome.reason); }
}

double seconds_of(const StepTimes& times) { return times.compute_s + times.collective_s + times.update_s + times.other_s; }

std::string Spread::text() const {
    return fmt::format("n={} median={:.1f} ms mean={:.1f} +- {:.1f} ms (95 %) largest={:.1f} ms", count, median_ms, mean_ms, half_ms,
                       largest_ms);
}

Spread spread_of(std::vector<double> seconds) {
    if (seconds.size() < 2) { return {}; }
    const auto count = static_cast<double>(seconds.size());
    const double center = *mean(seconds);
    double squares = 0;
    for (const double value : seconds) { squares += (value - center) * (value - center); }
    return {.count = seconds.size(),
            .median_ms = 1e3 * *percentile(seconds, 50),
            .mean_ms = 1e3 * center,
            .half_ms = 1e3 * 1.96 * std::sqrt(squares / (count - 1) / count),
            .largest_ms = 1e3 * *std::max_element(seconds.begin(), seconds.end())};
}

}  // namespace medley::test
