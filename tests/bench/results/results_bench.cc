/// What writing and reading the results of a run costs, a record or a job.

#include <cmath>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "io/results/event_log_reader.h"
#include "io/results/event_log_writer.h"
#include "io/results/jobs_csv.h"
#include "io/results/output_file.h"
#include "tests/support/temporary_folder.h"

namespace medley::io {
namespace {

constexpr std::size_t kJobs = 10'000;

class Ignore : public EventSink {
 public:
    void record(const LogRecord& record) override { benchmark::DoNotOptimize(&record); }
};

/// A plain log: every job is submitted, launched, runs and finishes, with times and work that need all digits.
void play(EventSink& sink) {
    sink.record(HeaderRecord{.policy = "fifo", .gpu_types = {{.name = Name("V100"), .gpus = 1'000'000}}});
    for (std::size_t index = 0; index < kJobs; ++index) {
        const JobId job(index);
        const SimTime time{static_cast<std::int64_t>(index) * 1'234'567'891};
        const double work = std::sqrt(static_cast<double>(index + 2));
        const std::string id = std::to_string(index);
        sink.record(
            SubmitRecord{.time = time, .job = job, .id = id, .total_work = work, .alone = Seconds{work}, .isolated = Seconds{work}});
        sink.record(LaunchRecord{.time = time, .job = job, .grants = {{.type = GpuTypeId(std::size_t{0}), .gpus = 1}}});
        sink.record(RunRecord{.time = time, .job = job, .work_per_s = 1});
        sink.record(FinishRecord{.time = time + SimTime{1'000'000'000}, .job = job, .work_done = work});
    }
    sink.record(EndRecord{.time = SimTime{static_cast<std::int64_t>(kJobs + 1) * 1'234'567'891}});
}

void count_records(benchmark::State& state) { state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * (4 * kJobs + 2))); }

void WriteEvents(benchmark::State& state) {
    const test::TemporaryFolder folder;
    for (auto _ : state) {
        OutputFile file(folder / "events.jsonl");
        EventLogWriter writer(file);
        play(writer);
        file.commit();
    }
    count_records(state);
}
BENCHMARK(WriteEvents);

void ReadEvents(benchmark::State& state) {
    const test::TemporaryFolder folder;
    OutputFile file(folder / "events.jsonl");
    EventLogWriter writer(file);
    play(writer);
    file.commit();
    Ignore ignore;
    for (auto _ : state) { EventLogReader(folder / "events.jsonl").read_into(ignore); }
    count_records(state);
}
BENCHMARK(ReadEvents);

void WriteJobs(benchmark::State& state) {
    const test::TemporaryFolder folder;
    Metrics metrics;
    play(metrics);
    for (auto _ : state) {
        OutputFile file(folder / "jobs.csv");
        write_jobs_csv(file, metrics);
        file.commit();
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kJobs));
}
BENCHMARK(WriteJobs);

}  // namespace
}  // namespace medley::io
