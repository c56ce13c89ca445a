#include "io/importers/alibaba_spot.h"

#include "core/error.h"
#include "io/csv_table.h"
#include "io/importers/gpu_share.h"
#include "io/importers/job_collector.h"
#include "io/importers/node_table.h"
#include "io/importers/record_fields.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

class SpotReader {
 public:
    SpotReader(ByteSource& source, const ImportOptions& options) : table_(source), jobs_(options, SourceClock::kTraceStart) {
        id_ = table_.require("job_name");
        type_ = table_.require("gpu_model");
        gpus_ = table_.require("gpu_request");
        workers_ = table_.require("worker_num");
        submit_ = table_.require("submit_time");
        duration_ = table_.require("duration");
        class_ = table_.require("job_type");
        tenant_ = table_.find("organization");
        ImportReport& report = jobs_.report();
        report.files.push_back(source.name());
        report.duration_meaning = "seconds as stated; whether evictions are in them is not";
        report.time_rule = "seconds after the first job; no zone";
        report.notes.emplace_back("taken at face value the jobs ask for 133 % of the A10 there are");
    }

    void read() {
        while (table_.next()) { read_row(); }
    }
    JobCollector& jobs() { return jobs_; }

 private:
    void read_row() {
        constexpr double kMostGpus = 1'000'000;
        RecordedJob record;
        record.job.id = table_.cell(id_);
        record.job.submit = read_moment(table_, submit_).value_or(SimTime{-1});
        record.job.duration = read_seconds(table_, duration_).value_or(Seconds{-1});
        const double each = read_amount(table_, gpus_).value_or(0);
        if (each > kMostGpus) { table_.refuse(gpus_, "at most 1000000 GPUs a worker"); }
        GpuShare share;
        share.add(read_count(table_, workers_).value_or(0), each);
        if (!share.apply(record)) { table_.refuse(workers_, "at most 10^8 GPUs in all"); }
        record.extras.gpu_types = read_types(table_, type_);
        if (record.extras.gpu_types.size() == 1) { record.job.reference_gpu_type = record.extras.gpu_types.front(); }
        record.extras.qos = read_label(table_, class_);
        record.job.priority = record.extras.qos == high_ ? 2 : 1;
        record.extras.tenant = read_label(table_, tenant_);
        jobs_.add(std::move(record));
    }

    CsvTable table_;
    JobCollector jobs_;
    std::size_t id_ = 0, type_ = 0, gpus_ = 0, workers_ = 0, submit_ = 0, duration_ = 0, class_ = 0;
    MaybeColumn tenant_;
    Name high_{"HP"};
};

std::optional<Cluster> read_nodes(const ImportSource& source, ImportReport& report) {
    auto file = source.find("node_info_df");
    if (!file) { return std::nullopt; }
    report.files.push_back(file->name());
    return naming_file(file->name(), [&] {
        constexpr std::int64_t kMostGpus = 1000;
        CsvTable table(*file);
        const std::size_t type = table.require("gpu_model");
        const std::size_t gpus = table.require("gpu_capacity_num");
        NodeTable nodes;
        while (table.next()) { nodes.add(table.cell(type), read_count(table, gpus, kMostGpus).value_or(0)); }
        return nodes.empty() ? std::nullopt : std::optional(nodes.cluster("alibaba-spot-2026"));
    });
}

class AlibabaSpotImporter final : public Importer {
 public:
    std::string_view name() const override { return "alibaba-spot-2026"; }
    std::string_view description() const override { return "Alibaba 2026 spot GPUs: job_info_df.csv with node_info_df.csv beside it"; }
    Import import(const ImportSource& source, const ImportOptions& options) const override {
        ByteSource bytes = source.is_folder() ? source.require("job_info_df") : source.open();
        return naming_file(bytes.name(), [&] {
            SpotReader reader(bytes, options);
            reader.read();
            return reader.jobs().finish(read_nodes(source, reader.jobs().report()));
        });
    }
};

}  // namespace

const Importer& alibaba_spot_importer() {
    static const AlibabaSpotImporter importer;
    return importer;
}

}  // namespace medley::io
