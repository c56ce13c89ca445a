#include "io/importers/helios.h"

#include <fmt/format.h>

#include "core/error.h"
#include "io/csv_table.h"
#include "io/importers/helios_quota.h"
#include "io/importers/job_collector.h"
#include "io/importers/record_fields.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

constexpr const char* kChina = "+08:00";

class HeliosReader {
 public:
    HeliosReader(ByteSource& source, const ImportOptions& options)
        : table_(source), zone_(options.time_zone.empty() ? kChina : options.time_zone), jobs_(options, SourceClock::k1970, zone_) {
        id_ = table_.require("job_id");
        gpus_ = table_.require("gpu_num");
        state_ = table_.require("state");
        submit_ = table_.require("submit_time");
        start_ = table_.require("start_time");
        end_ = table_.require("end_time");
        user_ = table_.find("user");
        tenant_ = table_.find("vc");
        cpus_ = table_.find("cpu_num");
        nodes_ = table_.find("node_num");
        duration_ = table_.find("duration");
        ImportReport& report = jobs_.report();
        report.files.push_back(source.name());
        report.duration_meaning = "end - start, recomputed from the times";
        report.time_rule = fmt::format("wall clock without zone, read as {}", zone_.text());
    }

    void read() {
        while (table_.next()) { read_row(); }
    }
    JobCollector& jobs() { return jobs_; }
    const ZoneRule& zone() const { return zone_; }

 private:
    void read_row() {
        RecordedJob record;
        record.job.id = table_.cell(id_);
        record.job.gpus = static_cast<int>(read_count(table_, gpus_).value_or(0));
        record.job.submit = read_date(table_, submit_, zone_).value_or(SimTime{-1});
        record.extras.recorded_state = read_label(table_, state_);
        record.extras.user = read_label(table_, user_);
        record.extras.tenant = record.extras.partition = read_label(table_, tenant_);
        keep(record, cpus_, cpus_name_);
        keep(record, nodes_, nodes_name_);
        record.extras.recorded_start = read_date(table_, start_, zone_);
        record.extras.recorded_end = read_date(table_, end_, zone_);
        set_duration(record);
        if (record.job.duration.value < 0 && !record.running_since && record.extras.recorded_start && record.extras.recorded_end) {
            return jobs_.drop("ended before it started");
        }
        jobs_.add(std::move(record));
    }

    void keep(RecordedJob& record, MaybeColumn column, const Name& name) const {
        if (column && !table_.cell(*column).empty()) { record.extras.unknown_columns.emplace_back(name, table_.cell(*column)); }
    }

    void set_duration(RecordedJob& record) {
        const JobExtras& extras = record.extras;
        record.job.duration = Seconds{-1};
        const bool running = extras.recorded_state == running_ || extras.recorded_state == suspended_;
        if (running || !extras.recorded_end) {
            if (extras.recorded_start) { record.running_since = extras.recorded_start; }
            record.extras.recorded_end.reset();
            return;
        }
        if (!extras.recorded_start) { return; }
        record.job.duration = to_seconds(*extras.recorded_end - *extras.recorded_start);
        const auto stated = read_seconds(table_, duration_);
        if (stated && *stated != record.job.duration) { jobs_.change("column duration is not end - start: recomputed"); }
    }

    CsvTable table_;
    ZoneRule zone_;
    JobCollector jobs_;
    std::size_t id_ = 0, gpus_ = 0, state_ = 0, submit_ = 0, start_ = 0, end_ = 0;
    MaybeColumn user_, tenant_, cpus_, nodes_, duration_;
    Name running_{"RUNNING"}, suspended_{"SUSPENDED"}, cpus_name_{"cpus"}, nodes_name_{"nodes"};
};

class HeliosImporter final : public Importer {
 public:
    std::string_view name() const override { return "helios"; }
    std::string_view description() const override {
        return "SenseTime Helios 2020: cluster_log.csv, with cluster_gpu_number.csv beside it as capacity over time";
    }
    Import import(const ImportSource& source, const ImportOptions& options) const override {
        ByteSource log = source.is_folder() ? source.require("cluster_log") : source.open();
        return naming_file(log.name(), [&] {
            HeliosReader reader(log, options);
            reader.read();
            auto quota_file = source.find("cluster_gpu_number");
            if (!quota_file) { return reader.jobs().finish(); }
            reader.jobs().report().files.push_back(quota_file->name());
            HeliosQuota quota = naming_file(quota_file->name(), [&] { return read_helios_quota(*quota_file, reader.zone()); });
            return reader.jobs().finish(std::move(quota.cluster), std::move(quota.rows));
        });
    }
};

}  // namespace

const Importer& helios_importer() {
    static const HeliosImporter importer;
    return importer;
}

}  // namespace medley::io
