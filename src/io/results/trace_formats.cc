#include "io/results/trace_formats.h"

#include <array>

#include "core/error.h"
#include "io/results/json_writer.h"
#include "io/trace_file.h"

namespace medley::io {
namespace {

constexpr std::array<std::string_view, 2> kFormats = {"csv", "jsonl"};

template <class Names>
void write_list(JsonWriter& json, const char* key, const Names& names) {
    if (names.empty()) { return; }
    json.key(key).begin_array();
    for (const auto& name : names) { json.value(name); }
    json.end_array();
}

void write_name(JsonWriter& json, const char* key, const Name& name) {
    if (!name.empty()) { json.field(key, name); }
}

void write_extras(JsonWriter& json, const JobExtras& extras) {
    write_list(json, "gpu_types", extras.gpu_types);
    write_list(json, "depends_on", extras.depends_on);
    write_name(json, "qos", extras.qos);
    write_name(json, "partition", extras.partition);
    write_name(json, "state", extras.recorded_state);
    write_name(json, "user", extras.user);
    write_name(json, "tenant", extras.tenant);
    if (extras.gpu_fraction != 1) { json.field("gpu_fraction", extras.gpu_fraction); }
    if (extras.recorded_start) { json.field("recorded_start_s", to_seconds(*extras.recorded_start)); }
    if (extras.recorded_end) { json.field("recorded_end_s", to_seconds(*extras.recorded_end)); }
    for (const auto& [column, text] : extras.unknown_columns) { json.field(column.text(), text); }
}

void write_job(JsonWriter& json, const Job& job) {
    json.begin_object().field("job_id", job.id).field("submit_s", to_seconds(job.submit));
    job.whole_pool() ? json.field("gpus", "pool") : json.field("gpus", job.gpus);
    write_name(json, "model", job.model);
    if (job.batch_size > 0) { json.field("batch_size", job.batch_size); }
    job.steps > 0 ? json.field("steps", job.steps) : json.field("duration_s", job.duration);
    write_name(json, "reference_gpu_type", job.reference_gpu_type);
    if (job.min_gpus > 0) { json.field("min_gpus", job.min_gpus); }
    if (job.max_gpus > 0) { json.field("max_gpus", job.max_gpus); }
    json.field("priority", job.priority).field("weight", job.weight);
    if (job.deadline) { json.field("deadline_s", *job.deadline); }
    if (job.walltime) { json.field("walltime_s", *job.walltime); }
    if (job.extras) { write_extras(json, *job.extras); }
    json.end_object();
}

}  // namespace

std::span<const std::string_view> trace_formats() { return kFormats; }

std::string format_trace_as(std::string_view format, const Trace& trace) {
    if (format == "csv") { return format_trace(trace); }
    MEDLEY_ASSERT(format == "jsonl");
    std::string lines;
    for (const Job& job : trace.jobs) {
        JsonWriter json(JsonWriter::Style::kOneLine);
        write_job(json, job);
        lines += json.text();
    }
    return lines;
}

}  // namespace medley::io
