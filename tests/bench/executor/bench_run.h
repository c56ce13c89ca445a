#pragma once
/// Real runs of emulated workers for benchmarks, and what their figures come to.

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "executor/session/run_job.h"
#include "tests/support/real_job.h"

namespace medley::test {

struct BenchRun {
    executor::RunSetup setup;
    executor::Placement placement;
    executor::Timeouts timeouts;
};
BenchRun bench_run(const RealJob& job);

/// Carries the run out in a folder of its own, which `started` hears of first; says so if it fails.
void carry_out(const BenchRun& run, const executor::RunObserver& observer,
               const std::function<void(const std::filesystem::path& directory)>& started = {});

/// What a worker says a step took.
double seconds_of(const executor::StepTimes& times);

/// Seconds as milliseconds: how many, median, mean with its 95 % interval (normal), largest.
struct Spread {
    std::size_t count = 0;
    double median_ms = 0;
    double mean_ms = 0;
    double half_ms = 0;  ///< of the interval
    double largest_ms = 0;

    std::string text() const;
};
Spread spread_of(std::vector<double> seconds);

void measure_resizes();  // resize_bench.cc
void measure_uneven();   // uneven_bench.cc

}  // namespace medley::test
