#include "io/results/event_log_writer.h"

#include "core/error.h"
#include "io/results/json_line.h"

namespace medley::io {
namespace {

constexpr int kFormat = 1;

std::string json_text(std::string_view text) {
    std::string json;
    append_json_string(json, text);
    return json;
}

}  // namespace

void EventLogWriter::record(const LogRecord& record) {
    std::visit([this](const auto& known) { append(known); }, record);
    file_.flush_if_large();
}

void EventLogWriter::append(const HeaderRecord& record) {
    std::string& out = file_.buffer();
    JsonLine line(out, SimTime{0}, "header");
    line.whole("format", kFormat).text("policy", record.policy).raw("policy_options", "{");
    for (const auto& [key, value] : record.policy_options) {
        if (out.back() != '{') { out += ','; }
        append_json_string(out, key);
        out += ':';
        append_json_string(out, value);
    }
    out += '}';
    line.text("information_class", to_string(record.information));
    line.raw("seed", std::to_string(record.seed)).number("round_s", record.round.value).text("compat", record.compat);
    line.text("cluster", record.cluster).raw("gpu_types", "[");
    for (const HeaderRecord::Type& type : record.gpu_types) { append_type(type); }
    out += ']';
    line.end();
}

void EventLogWriter::append_type(const HeaderRecord::Type& type) {
    std::string& out = file_.buffer();
    quoted_types_.push_back(json_text(type.name.text()));
    if (quoted_types_.size() > 1) { out += ','; }
    JsonWriter fields(JsonWriter::Style::kOneLine);
    fields.begin_object().field("name", type.name).field("gpus", type.gpus);
    fields.field("price_usd_per_hour", type.price_usd_per_hour).field("power_w", type.power_w).end_object();
    const std::string text = fields.text();
    out.append(text, 0, text.size() - 1);
}

void EventLogWriter::append(const SubmitRecord& record) {
    remember(record.job, record.id);
    JsonLine line(file_.buffer(), record.time, "submit");
    line.raw("job", quoted_id(record.job));
    if (!record.model.empty()) { line.text("model", record.model.text()); }
    line.whole("requested_gpus", record.gpus).whole("min_gpus", record.min_gpus);
    append_allowed(record.allowed);
    line.number("priority", record.priority).number("weight", record.weight);
    if (record.deadline) { line.number("deadline_s", record.deadline->value); }
    line.number("total_work", record.total_work).number("alone_s", record.alone.value).number("isolated_s", record.isolated.value);
    line.number("nominal_gpus", record.nominal_gpus);
    if (record.held_back) { line.truth("held_back", true); }
    line.end();
}

void EventLogWriter::append(const ReleaseRecord& record) {
    JsonLine line(file_.buffer(), record.time, "release");
    line.raw("job", quoted_id(record.job)).end();
}

void EventLogWriter::append(const RejectRecord& record) {
    JsonLine line(file_.buffer(), record.time, "reject");
    line.raw("job", quoted_id(record.job)).text("reason", record.reason).end();
}

void EventLogWriter::append(const LaunchRecord& record) {
    JsonLine line(file_.buffer(), record.time, "launch");
    line.raw("job", quoted_id(record.job));
    append_grants(record.grants);
    line.truth("restart", record.restart).end();
}

void EventLogWriter::append(const ResizeRecord& record) {
    JsonLine line(file_.buffer(), record.time, "resize");
    line.raw("job", quoted_id(record.job));
    append_grants(record.grants);
    line.end();
}

void EventLogWriter::append(const RunRecord& record) {
    JsonLine line(file_.buffer(), record.time, "run");
    line.raw("job", quoted_id(record.job)).number("work_per_s", record.work_per_s);
    line.number("communication_fraction", record.communication_fraction).number("work_done", record.work_done);
    line.truth("resizing", record.resizing).end();
}

void EventLogWriter::append(const CheckpointRecord& record) {
    JsonLine line(file_.buffer(), record.time, "checkpoint");
    line.raw("job", quoted_id(record.job)).number("work_done", record.work_done).end();
}

void EventLogWriter::append(const StopRecord& record) {
    JsonLine line(file_.buffer(), record.time, "stop");
    line.raw("job", quoted_id(record.job)).text("reason", to_string(record.reason));
    line.number("work_done", record.work_done).number("work_lost", record.work_lost).end();
}

void EventLogWriter::append(const FinishRecord& record) {
    JsonLine line(file_.buffer(), record.time, "finish");
    line.raw("job", quoted_id(record.job)).number("work_done", record.work_done).truth("cancelled", record.cancelled).end();
}

void EventLogWriter::append(const CapacityRecord& record) {
    JsonLine line(file_.buffer(), record.time, "capacity");
    line.raw("gpu_type", quoted_types_[record.type.index()]).whole("gpus", record.gpus).end();
}

void EventLogWriter::append(const ReasonRecord& record) {
    JsonLine line(file_.buffer(), record.time, "reason");
    line.raw("job", quoted_id(record.job)).text("text", record.text).end();
}

void EventLogWriter::append(const ReservationRecord& record) {
    JsonLine line(file_.buffer(), record.time, "reservation");
    line.raw("job", quoted_id(record.job)).whole("start_ns", record.start.value);
    append_grants(record.grants);
    line.end();
}

void EventLogWriter::append(const EndRecord& record) {
    JsonLine line(file_.buffer(), record.time, "end");
    line.raw("events", std::to_string(record.events)).raw("decisions", std::to_string(record.decisions)).end();
}

void EventLogWriter::append_grants(const Grants& grants) {
    std::string& out = file_.buffer();
    out += R"(,"gpus":{)";
    for (const Grant& grant : grants) {
        if (out.back() != '{') { out += ','; }
        out += quoted_types_[grant.type.index()];
        out += ':';
        append_whole(out, grant.gpus);
    }
    out += '}';
}

void EventLogWriter::append_allowed(GpuTypeMask allowed) {
    const auto allows = [&](std::size_t type) { return ((allowed >> type) & 1U) != 0; };
    std::string list;
    bool all = true;
    for (std::size_t type = 0; type < quoted_types_.size(); ++type) {
        if (!allows(type)) {
            all = false;
            continue;
        }
        list += list.empty() ? "" : ",";
        list += quoted_types_[type];
    }
    if (!all) { file_.buffer() += R"(,"allowed":[)" + list + "]"; }
}

void EventLogWriter::remember(JobId job, std::string_view id) {
    if (slices_.size() <= job.index()) { slices_.resize(job.index() + 1); }
    const std::size_t begin = quoted_ids_.size();
    append_json_string(quoted_ids_, id);
    slices_[job.index()] = {.begin = begin, .size = static_cast<std::uint32_t>(quoted_ids_.size() - begin)};
}

std::string_view EventLogWriter::quoted_id(JobId job) const {
    MEDLEY_ASSERT(job.index() < slices_.size());
    const Slice& slice = slices_[job.index()];
    return std::string_view(quoted_ids_).substr(slice.begin, slice.size);
}

}  // namespace medley::io
