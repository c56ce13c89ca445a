#include "io/importers/job_log.h"

#include <fmt/format.h>

namespace medley::io {

JobLogReader::JobLogReader(ByteSource& source, const ImportOptions& options, const JobLogFormat& format)
    : table_(source), zone_(options.time_zone.empty() ? format.zone : options.time_zone), jobs_(options, SourceClock::k1970, zone_) {
    id_ = table_.require("job_id");
    gpus_ = table_.require("gpu_num");
    state_ = table_.require("state");
    submit_ = table_.require("submit_time");
    start_ = table_.require("start_time");
    end_ = table_.require("end_time");
    user_ = table_.find("user");
    cpus_ = table_.find("cpu_num");
    nodes_ = table_.find("node_num");
    duration_ = table_.find("duration");
    if (format.tenant != nullptr) { tenant_ = table_.find(format.tenant); }
    for (const JobLogFormat::Kept& kept : format.kept) {
        if (const auto column = table_.find(kept.column)) { kept_.push_back({.column = *column, .name = Name(kept.name)}); }
    }
    ImportReport& report = jobs_.report();
    report.files.push_back(source.name());
    report.duration_meaning = "end - start, recomputed from the times";
    report.time_rule = fmt::format("times without a zone are read as {}", zone_.text());
}

void JobLogReader::read() {
    while (table_.next()) { read_row(); }
}

void JobLogReader::read_row() {
    RecordedJob record;
    JobExtras& extras = record.extras;
    record.job.id = table_.cell(id_);
    record.job.gpus = static_cast<int>(read_count(table_, gpus_).value_or(0));
    record.job.submit = read_date(table_, submit_, zone_).value_or(SimTime{-1});
    extras.recorded_state = read_label(table_, state_);
    extras.user = read_label(table_, user_);
    extras.tenant = extras.partition = read_label(table_, tenant_);
    extras.cpus = static_cast<int>(read_count(table_, cpus_).value_or(0));
    extras.nodes = static_cast<int>(read_count(table_, nodes_).value_or(0));
    for (const KeptColumn& kept : kept_) {
        const std::string_view cell = table_.cell(kept.column);
        if (!is_missing(cell)) { extras.unknown_columns.emplace_back(kept.name, cell); }
    }
    extras.recorded_start = read_date(table_, start_, zone_);
    extras.recorded_end = read_date(table_, end_, zone_);
    if (extras.recorded_start && extras.recorded_end && *extras.recorded_end < *extras.recorded_start) {
        return jobs_.drop("ended before it started");
    }
    set_duration(record);
    jobs_.add(std::move(record));
}

void JobLogReader::set_duration(RecordedJob& record) {
    JobExtras& extras = record.extras;
    record.job.duration = Seconds{-1};
    if (!extras.recorded_start) { return; }
    if (!extras.recorded_end || extras.recorded_state == running_ || extras.recorded_state == suspended_) {
        record.running_since = extras.recorded_start;
        record.job.duration = Seconds{0};
        extras.recorded_end.reset();
        return;
    }
    record.job.duration = to_seconds(*extras.recorded_end - *extras.recorded_start);
    const auto stated = read_seconds(table_, duration_);
    if (stated && *stated != record.job.duration) { jobs_.change("column duration is not end - start: recomputed"); }
}

}  // namespace medley::io
