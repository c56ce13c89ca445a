#include "io/importers/lucid.h"

#include <fmt/format.h>

#include "core/error.h"
#include "io/csv_table.h"
#include "io/importers/job_collector.h"
#include "io/importers/record_fields.h"
#include "io/scalar.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

class LucidReader {
 public:
    LucidReader(ByteSource& source, const ImportOptions& options)
        : table_(source, CsvDialect{.unnamed_first = true}),
          options_(options),
          zone_(options.time_zone.empty() ? "+08:00" : options.time_zone),
          file_(source.name()) {
        id_ = table_.find("job_id") ? table_.require("job_id") : table_.require("jobname");
        submit_ = table_.require("submit_time");
        duration_ = table_.require("duration");
        gpus_ = table_.require("gpu_num");
        state_ = table_.require("state");
        user_ = table_.find("user");
        tenant_ = table_.find("vc");
        model_ = table_.find("model");
        batch_size_ = table_.find("batchsize");
    }

    void read() {
        while (table_.next()) {
            if (!jobs_) { open_collector(); }
            jobs_->add(read_row());
        }
        if (!jobs_) { open_collector(); }
        fill_report();
    }
    JobCollector& jobs() { return *jobs_; }

 private:
    // Of Venus and Philly the log has dates, of Pollux's workload seconds.
    void open_collector() {
        const bool has_row = table_.line() > 1;
        dates_ = !has_row || !to_number(table_.cell(submit_));
        jobs_.emplace(options_, dates_ ? SourceClock::k1970 : SourceClock::kTraceStart, zone_);
    }

    RecordedJob read_row() const {
        constexpr std::int64_t kMostSamples = 1'000'000'000'000;
        RecordedJob record;
        record.job.id = table_.cell(id_);
        record.job.submit = (dates_ ? read_date(table_, submit_, zone_) : read_moment(table_, submit_)).value_or(SimTime{-1});
        record.job.duration = read_seconds(table_, duration_).value_or(Seconds{-1});
        record.job.gpus = static_cast<int>(read_count(table_, gpus_).value_or(0));
        record.job.model = read_label(table_, model_);
        record.job.batch_size = read_count(table_, batch_size_, kMostSamples).value_or(0);
        record.extras.recorded_state = read_label(table_, state_);
        record.extras.user = read_label(table_, user_);
        record.extras.tenant = record.extras.partition = read_label(table_, tenant_);
        return record;
    }

    void fill_report() {
        ImportReport& report = jobs_->report();
        report.files.push_back(file_);
        report.duration_meaning = "column duration: wall seconds of running (of Philly, the sum of the attempts)";
        report.time_rule = dates_ ? fmt::format("wall clock without zone, read as {}", zone_.text()) : "seconds after the start; no zone";
        if (model_) { report.notes.emplace_back("models and batch sizes were assigned by the publishers"); }
    }

    CsvTable table_;
    const ImportOptions& options_;
    ZoneRule zone_;
    std::string file_;
    std::optional<JobCollector> jobs_;
    std::size_t id_ = 0, submit_ = 0, duration_ = 0, gpus_ = 0, state_ = 0;
    MaybeColumn user_, tenant_, model_, batch_size_;
    bool dates_ = true;
};

/// `,num`: a virtual cluster and its nodes of eight GPUs. The first column has no name.
Cluster read_vc_config(ByteSource& source) {
    constexpr int kGpusPerNode = 8;
    constexpr std::int64_t kMostNodes = 1'000'000;
    CsvTable table(source, {"vc", "num"});
    Cluster cluster{.name = "lucid", .gpu_types = {GpuType{.name = Name("GPU")}}, .nodes = {}, .network = {}};
    while (table.next()) {
        if (table.line() == 1 && table.cell(1) == "num") { continue; }
        const std::int64_t nodes = read_count(table, 1, kMostNodes).value_or(0);
        if (nodes == 0) { continue; }
        cluster.nodes.push_back(
            {.name = std::string(table.cell(0)), .count = static_cast<int>(nodes), .gpu = GpuTypeId(0), .gpus = kGpusPerNode});
    }
    cluster.validate();
    return cluster;
}

class LucidImporter final : public Importer {
 public:
    std::string_view name() const override { return "lucid"; }
    std::string_view description() const override {
        return "Lucid 2023: cluster_log.csv or cluster_full_log.csv, with vc_config.csv beside it";
    }
    Import import(const ImportSource& source, const ImportOptions& options) const override {
        ByteSource log = source.is_folder() ? source.require("cluster_full_log") : source.open();
        return naming_file(log.name(), [&] {
            LucidReader reader(log, options);
            reader.read();
            auto config = source.find("vc_config");
            if (!config) { return reader.jobs().finish(); }
            reader.jobs().report().files.push_back(config->name());
            return reader.jobs().finish(naming_file(config->name(), [&] { return read_vc_config(*config); }));
        });
    }
};

}  // namespace

const Importer& lucid_importer() {
    static const LucidImporter importer;
    return importer;
}

}  // namespace medley::io
