#include "io/importers/slurm_record.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "core/error.h"
#include "io/importers/record_fields.h"
#include "io/scalar.h"
#include "io/slurm/hostlist.h"
#include "io/slurm/submit_line.h"
#include "io/slurm/times.h"
#include "io/slurm/tres.h"

namespace medley::io::slurm {
namespace {

constexpr double kSecondsPerMinute = 60;
constexpr std::string_view kMomentExpected = "a time such as 2026-06-24T06:26:44, seconds since 1970, or Unknown";

int as_gpus(std::int64_t count) { return static_cast<int>(std::min(count, kMostRecordedGpus)); }

/// GPUs of `gpu:a100:2` (a node's share) on all nodes, as Slurm before 20.11 accounted them.
std::optional<std::int64_t> gres_gpus(std::string_view gres, int nodes) {
    if (gres.find("gpu") == std::string_view::npos) { return std::nullopt; }
    std::int64_t gpus = 0;
    for (const NodeGpus& each : node_gpus(gres)) { gpus += each.count; }
    return gpus * std::max(nodes, 1);
}

/// `123_4` is a task of array 123.
std::string_view array_of(std::string_view id) {
    const std::size_t underscore = id.find('_');
    return underscore == std::string_view::npos ? std::string_view() : id.substr(0, underscore);
}

}  // namespace

std::string_view job_of(std::string_view id) { return id.substr(0, id.find('.')); }

RecordReader::RecordReader(const AccountingTable& table, const ZoneRule& zone, const HostTypes& hosts)
    : table_(table), zone_(zone), hosts_(hosts) {}

AccountingRecord RecordReader::read() const {
    AccountingRecord record;
    record.recorded.job.id = table_.cell(Column::kJobId);
    record.het_component = record.recorded.job.id.find('+') != std::string::npos;
    record.recorded.extras.recorded_state = state();
    read_times(record);
    read_extras(record);
    read_gpus(record);
    read_types(record);
    read_submission(record);
    return record;
}

void RecordReader::complete(AccountingRecord& record) const {
    if (!record.gpus_stated) { read_gpus(record); }
    if (record.gpus_stated && record.recorded.job.reference_gpu_type.empty()) { read_types(record); }
}

std::optional<SimTime> RecordReader::moment(Column column) const {
    const std::string_view text = table_.cell(column);
    if (is_unknown_moment(text)) { return std::nullopt; }
    const auto time = to_moment(text, zone_);
    if (!time) { table_.refuse(column, kMomentExpected); }
    return time;
}

/// "CANCELLED by 1000" is CANCELLED.
Name RecordReader::state() const {
    const std::string_view text = table_.cell(Column::kState);
    return Name(text.substr(0, text.find(' ')));
}

int RecordReader::count(Column column) const {
    const std::string_view text = table_.cell(column);
    if (is_missing(text)) { return 0; }
    const auto number = to_whole(text);
    if (!number || *number < 0 || *number > kMostRecordedGpus) {
        table_.refuse(column, fmt::format("a whole number from 0 to {}", kMostRecordedGpus));
    }
    return static_cast<int>(*number);
}

/// Elapsed leaves suspensions out; without it, the end less the start.
Seconds RecordReader::duration(const AccountingRecord& record) const {
    if (const std::string_view raw = table_.cell(Column::kElapsedRaw); !raw.empty()) {
        const auto seconds = to_number(raw);
        if (!seconds || *seconds < 0 || *seconds > kLongestSeconds) { table_.refuse(Column::kElapsedRaw, "seconds of at least 0"); }
        return Seconds{*seconds};
    }
    if (const std::string_view text = table_.cell(Column::kElapsed); !text.empty()) {
        const auto span = to_span(text);
        if (!span) { table_.refuse(Column::kElapsed, "a span such as 1-02:03:04 or 12:03"); }
        return *span;
    }
    return record.start && record.end ? to_seconds(*record.end - *record.start) : Seconds{-1};
}

void RecordReader::read_times(AccountingRecord& record) const {
    Job& job = record.recorded.job;
    const auto submit = moment(Column::kSubmit);
    record.start = moment(Column::kStart);
    record.end = moment(Column::kEnd);
    record.eligible = moment(Column::kEligible);
    job.submit = submit ? *submit : record.start.value_or(SimTime{table_.has(Column::kSubmit) ? -1 : 0});
    job.duration = duration(record);
    record.never_started = !record.start && table_.has(Column::kStart);
    record.recorded.extras.recorded_start = record.start;
    const std::string& state = record.recorded.extras.recorded_state.text();
    if (record.start && !record.end && table_.has(Column::kEnd)) {
        record.recorded.running_since = record.start;
        job.duration = Seconds{0};
    } else if (state != "RUNNING" && state != "SUSPENDED") {
        record.recorded.extras.recorded_end = record.end;
    }
}

std::optional<Seconds> RecordReader::time_limit() const {
    if (const std::string_view text = table_.cell(Column::kTimelimit); !is_unlimited(text)) {
        const auto limit = to_span(text);
        if (!limit) { table_.refuse(Column::kTimelimit, "a span such as 3-00:00:00, UNLIMITED or Partition_Limit"); }
        return limit;
    }
    const std::string_view raw = table_.cell(Column::kTimelimitRaw);
    if (is_unlimited(raw)) { return std::nullopt; }
    const auto minutes = to_number(raw);
    if (!minutes || *minutes < 0 || *minutes * kSecondsPerMinute > kLongestSeconds) {
        table_.refuse(Column::kTimelimitRaw, "minutes, UNLIMITED or Partition_Limit");
    }
    return Seconds{*minutes * kSecondsPerMinute};
}

void RecordReader::read_extras(AccountingRecord& record) const {
    JobExtras& extras = record.recorded.extras;
    extras.user = Name(table_.cell(Column::kUser));
    extras.tenant = Name(table_.cell(Column::kAccount));
    extras.partition = Name(table_.cell(Column::kPartition));
    extras.qos = Name(table_.cell(Column::kQos));
    extras.reservation = Name(table_.cell(Column::kReservation));
    extras.array = Name(array_of(record.recorded.job.id));
    extras.nodes = count(Column::kNodes);
    extras.cpus = count(Column::kCpus);
    const auto limit = time_limit();
    if (limit && limit->value > 0) { record.recorded.job.walltime = limit; }
}

void RecordReader::read_gpus(AccountingRecord& record) const {
    std::optional<std::int64_t> gpus = tres_gpus(table_.cell(Column::kAllocTres)).total;
    if (!gpus) { gpus = gres_gpus(table_.cell(Column::kAllocGres), count(Column::kNodes)); }
    if (!gpus) { gpus = tres_gpus(table_.cell(Column::kReqTres)).total; }
    record.gpus_stated = gpus.has_value();
    record.recorded.job.gpus = as_gpus(gpus.value_or(0));
    if (!gpus && !hosts_.empty()) { record.nodes = table_.cell(Column::kNodeList); }
}

/// The type it ran on: by node where the cluster tells, else as accounted.
void RecordReader::read_types(AccountingRecord& record) const {
    const TresGpus allocated = tres_gpus(table_.cell(Column::kAllocTres));
    record.several_types = allocated.several_types;
    Name& ran_on = record.recorded.job.reference_gpu_type;
    if (!allocated.type.empty()) { ran_on = Name(allocated.type); }
    if (!hosts_.empty() && record.recorded.job.gpus > 0 && !record.several_types) {
        try {
            if (const auto host = hosts_.find(first_host(table_.cell(Column::kNodeList)))) { ran_on = host->type; }
        } catch (const Error& error) { table_.refuse(Column::kNodeList, error.problem().expected); }
    }
    if (const TresGpus asked = tres_gpus(table_.cell(Column::kReqTres)); !asked.type.empty()) { record.asked_type = Name(asked.type); }
}

void RecordReader::read_submission(AccountingRecord& record) const {
    const std::string_view text = table_.cell(Column::kSubmitLine);
    if (text.empty()) { return; }
    SubmitLine line = read_submit_line(text);
    record.recorded.extras.depends_on = std::move(line.depends_on);
    record.recorded.extras.array_limit = line.array_limit;
    if (record.asked_type.empty() && !line.gpu_type.empty()) { record.asked_type = Name(line.gpu_type); }
}

}  // namespace medley::io::slurm
