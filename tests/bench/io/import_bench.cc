/// How fast public traces are imported, on one core: bytes of the source a second.

#include <iterator>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "core/rng.h"
#include "io/civil_time.h"
#include "io/importers/importer.h"
#include "io/json_stream.h"

namespace medley::io {
namespace {

std::string date(Rng& rng, std::int64_t first, std::int64_t span) {
    return civil_text(SimTime{(first + rng.between(0, span)) * 1'000'000'000});
}

// As the original: half of the jobs have no GPU.
std::string helios_log(std::size_t rows) {
    constexpr std::int64_t kApril2020 = 1585699200;
    Rng rng(1);
    std::string text = "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n";
    for (std::size_t row = 0; row < rows; ++row) {
        const auto submit = kApril2020 + static_cast<std::int64_t>(row);
        const std::int64_t queue = rng.between(0, 5000);
        const std::int64_t duration = rng.between(1, 90000);
        const auto clock = [](std::int64_t seconds) { return civil_text(SimTime{seconds * 1'000'000'000}); };
        fmt::format_to(std::back_inserter(text), "{},u{},vc{},{},{},1,COMPLETED,{},{},{},{},{}\n", 1000000 + row, rng.below(300),
                       rng.below(20), rng.below(2) * 8, 4 << rng.below(5), clock(submit), clock(submit + queue),
                       clock(submit + queue + duration), duration, queue);
    }
    return text;
}

std::string itp_log(std::size_t rows) {
    Rng rng(2);
    std::string text = "job_id,submission_time,duration,num_gpu\n";
    for (std::size_t row = 0; row < rows; ++row) {
        fmt::format_to(std::back_inserter(text), "{:08x}-0667-1ad1-1c80-{:012x},{},{},{}\n", row, rng.next() >> 16U, row,
                       rng.between(600, 90000), 1 << rng.below(6));
    }
    return text;
}

std::string philly_log(std::size_t records) {
    constexpr std::int64_t kOctober2017 = 1506816000;
    Rng rng(3);
    std::string text = "[\n";
    for (std::size_t row = 0; row < records; ++row) {
        fmt::format_to(
            std::back_inserter(text),
            R"({}  {{"status": "Pass", "vc": "ee9e8c", "jobid": "application_1506638472019_{}", "attempts": [{{"start_time": "{}", )"
            R"("end_time": "{}", "detail": [{{"ip": "m{}", "gpus": ["gpu0", "gpu1", "gpu2", "gpu3"]}}]}}], )"
            R"("submitted_time": "{}", "user": "u{}"}})",
            row == 0 ? "" : ",\n", row, date(rng, kOctober2017, 1000), date(rng, kOctober2017 + 1000, 90000), rng.below(500),
            date(rng, kOctober2017 - 1000, 900), rng.below(300));
    }
    return text + "\n]\n";
}

void import_text(benchmark::State& state, const char* format, const std::string& text) {
    const Importer& importer = find_importer(format);
    const ImportSource source = ImportSource::of_text("bench", text);
    std::size_t jobs = 0;
    for (auto _ : state) { jobs = importer.import(source, {}).trace.jobs.size(); }
    state.counters["jobs"] = static_cast<double>(jobs);
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

void import_helios(benchmark::State& state) { import_text(state, "helios", helios_log(500'000)); }
void import_itp(benchmark::State& state) { import_text(state, "itp", itp_log(1'000'000)); }
void import_philly(benchmark::State& state) { import_text(state, "philly", philly_log(150'000)); }

void take_json_apart(benchmark::State& state) {
    const std::string text = philly_log(150'000);
    for (auto _ : state) {
        ByteSource source("bench", text);
        JsonStream json(source);
        json.expect('[');
        while (json.more(']')) { benchmark::DoNotOptimize(json.value()); }
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

BENCHMARK(import_helios)->Unit(benchmark::kMillisecond);
BENCHMARK(import_itp)->Unit(benchmark::kMillisecond);
BENCHMARK(import_philly)->Unit(benchmark::kMillisecond);
BENCHMARK(take_json_apart)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace medley::io
