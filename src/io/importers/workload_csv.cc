#include "io/importers/workload_csv.h"

#include <fmt/format.h>

#include "io/scalar.h"

namespace medley::io {

WorkloadCsv::WorkloadCsv(ByteSource& source, const ImportOptions& options, double units_per_second)
    : table_(source),
      jobs_(options, SourceClock::kTraceStart),
      units_per_second_(units_per_second),
      id_(table_.require("job_id")),
      gpus_(table_.require("num_gpu")),
      submit_(table_.require("submit_time")),
      duration_(table_.require("duration")),
      model_(table_.find("model_name")),
      batch_size_(table_.find("batch_size")),
      iterations_(table_.find("iterations")) {
    jobs_.report().files.push_back(source.name());
}

RecordedJob WorkloadCsv::record() const {
    constexpr std::int64_t kMostSamples = 1'000'000'000'000;
    RecordedJob record;
    record.job.id = table_.cell(id_);
    record.job.gpus = static_cast<int>(read_count(table_, gpus_).value_or(0));
    const auto submit = seconds(submit_);
    record.job.submit = submit ? to_sim_time(*submit) : SimTime{-1};
    record.job.duration = seconds(duration_).value_or(Seconds{-1});
    record.job.model = read_label(table_, model_);
    record.job.batch_size = read_count(table_, batch_size_, kMostSamples).value_or(0);
    if (iterations_ && !is_missing(table_.cell(*iterations_))) {
        record.extras.unknown_columns.emplace_back(iterations_name_, table_.cell(*iterations_));
    }
    return record;
}

std::optional<Seconds> WorkloadCsv::seconds(MaybeColumn column) const {
    const auto value = read_amount(table_, column);
    if (!value) { return std::nullopt; }
    const double seconds = *value / units_per_second_;
    if (seconds > kLongestSeconds) { table_.refuse(*column, fmt::format("at most {} s", kLongestSeconds)); }
    return Seconds{seconds};
}

}  // namespace medley::io
