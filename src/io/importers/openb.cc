#include "io/importers/openb.h"

#include "core/error.h"
#include "io/csv_table.h"
#include "io/importers/gpu_share.h"
#include "io/importers/job_collector.h"
#include "io/importers/node_table.h"
#include "io/importers/record_fields.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

constexpr double kMilli = 1000;

/// What both readings of a pod share.
class PodTable {
 public:
    PodTable(ByteSource& source, const ImportOptions& options) : table_(source), jobs_(options, SourceClock::kTraceStart) {
        name_ = table_.require("name");
        gpus_ = table_.require("num_gpu");
        milli_ = table_.require("gpu_milli");
        types_ = table_.find("gpu_spec");
        qos_ = table_.find("qos");
        phase_ = table_.find("pod_phase");
        cpus_ = table_.find("cpu_milli");
        jobs_.report().files.push_back(source.name());
    }

    CsvTable& table() { return table_; }
    JobCollector& jobs() { return jobs_; }

    RecordedJob record() const {
        RecordedJob record;
        record.job.id = table_.cell(name_);
        GpuShare share;
        const std::int64_t gpus = read_count(table_, gpus_).value_or(0);
        share.add(gpus, static_cast<double>(read_count(table_, milli_, static_cast<std::int64_t>(kMilli)).value_or(0)) / kMilli);
        share.apply(record);
        record.extras.gpu_types = read_types(table_, types_);
        record.extras.qos = read_label(table_, qos_);
        record.extras.recorded_state = read_label(table_, phase_);
        if (cpus_ && !is_missing(table_.cell(*cpus_))) { record.extras.unknown_columns.emplace_back(cpus_name_, table_.cell(*cpus_)); }
        return record;
    }

 private:
    CsvTable table_;
    JobCollector jobs_;
    std::size_t name_ = 0, gpus_ = 0, milli_ = 0;
    MaybeColumn types_, qos_, phase_, cpus_;
    Name cpus_name_{"cpu_milli"};
};

/// Pods over time, as they were scheduled and deleted.
void read_lifetimes(PodTable& pods, const ImportOptions& options) {
    const CsvTable& table = pods.table();
    const std::size_t created = table.require("creation_time");
    const std::size_t scheduled = table.require("scheduled_time");
    const std::size_t deleted = table.require("deletion_time");
    ImportReport& report = pods.jobs().report();
    report.duration_meaning = "deletion - scheduling: the lifetime of a pod";
    report.time_rule = "seconds after the trace's start; no zone";
    report.notes.emplace_back("a snapshot for packing, no load: replayed in time, nearly all GPUs are idle (see openb-packing)");
    const Name running("Running");
    while (pods.table().next()) {
        RecordedJob record = pods.record();
        record.job.submit = read_moment(table, created).value_or(SimTime{-1});
        const auto start = read_moment(table, scheduled);
        const auto end = read_moment(table, deleted);
        if (!start) {
            pods.jobs().drop("never scheduled");
            continue;
        }
        record.extras.recorded_start = start;
        record.job.duration = end && *end >= *start ? to_seconds(*end - *start) : Seconds{-1};
        if (record.extras.recorded_state != running) {
            record.extras.recorded_end = end;
        } else if (options.unfinished == Unfinished::kDrop) {
            record.running_since = start;
        } else {
            pods.jobs().change("still running: counted until it was last seen");
        }
        pods.jobs().add(std::move(record));
    }
}

/// Pods in the order of the file. All stay for a day after the last came, however many there are.
void read_packing(PodTable& pods) {
    constexpr SimTime kSecond{1'000'000'000};
    constexpr double kDay = 86400;
    constexpr std::int64_t kMostPods = 100'000'000;
    ImportReport& report = pods.jobs().report();
    report.duration_meaning = "until a day after 10^8 arrivals: no pod leaves before the last has come";
    report.time_rule = "order of the file, a second apart; recorded times are not used";
    SimTime arrival;
    while (pods.table().next()) {
        RecordedJob record = pods.record();
        record.job.submit = arrival;
        record.job.duration = Seconds{static_cast<double>(kMostPods) + kDay} - to_seconds(arrival);
        arrival += kSecond;
        pods.jobs().add(std::move(record));
    }
}

std::optional<Cluster> read_nodes(const ImportSource& source, ImportReport& report) {
    auto file = source.find("openb_node_list_gpu_node");
    if (!file) { file = source.find("openb_node_list_all_node"); }
    if (!file) { return std::nullopt; }
    report.files.push_back(file->name());
    return naming_file(file->name(), [&] {
        constexpr std::int64_t kMostGpus = 1000;
        CsvTable table(*file);
        const std::size_t gpus = table.require("gpu");
        const std::size_t model = table.require("model");
        NodeTable nodes;
        while (table.next()) { nodes.add(table.cell(model), read_count(table, gpus, kMostGpus).value_or(0)); }
        return nodes.empty() ? std::nullopt : std::optional(nodes.cluster("openb"));
    });
}

class OpenbImporter final : public Importer {
 public:
    explicit OpenbImporter(bool packing) : packing_(packing) {}

    std::string_view name() const override { return packing_ ? "openb-packing" : "openb"; }
    std::string_view description() const override {
        return packing_ ? "the same pods in order of arrival, none leaving: the authors' use; also the files without times"
                        : "Alibaba 2023 openb: openb_pod_list_*.csv with openb_node_list_gpu_node.csv beside it, by recorded lifetimes";
    }
    Import import(const ImportSource& source, const ImportOptions& options) const override {
        ByteSource bytes = source.is_folder() ? source.require("openb_pod_list_default") : source.open();
        return naming_file(bytes.name(), [&] {
            PodTable pods(bytes, options);
            packing_ ? read_packing(pods) : read_lifetimes(pods, options);
            return pods.jobs().finish(read_nodes(source, pods.jobs().report()));
        });
    }

 private:
    bool packing_;
};

}  // namespace

const Importer& openb_importer() {
    static const OpenbImporter importer(false);
    return importer;
}

const Importer& openb_packing_importer() {
    static const OpenbImporter importer(true);
    return importer;
}

}  // namespace medley::io
