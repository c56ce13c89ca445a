#include "io/importers/pai2020.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "core/error.h"
#include "io/csv_table.h"
#include "io/importers/gpu_share.h"
#include "io/importers/job_collector.h"
#include "io/importers/node_table.h"
#include "io/importers/record_fields.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

/// First start and last end of what belongs together.
struct Span {
    std::optional<SimTime> start, end;
    bool open = false;  ///< something started and did not end

    void add(std::optional<SimTime> from, std::optional<SimTime> to) {
        if (from && (!start || *from < *start)) { start = from; }
        if (to && (!end || *to > *end)) { end = to; }
        open = open || (from && !to);
    }
};

struct PaiJob {
    std::string id;
    GpuShare gpus;
    double cpus = 0;
    Span tasks, instances;
    Name state, user, type;
    bool several_types = false;
    std::optional<SimTime> submit;
    std::string gpu_tasks;  ///< names of the tasks with GPUs, each with a line break before and behind
    std::vector<Name> allowed;
};

class PaiReader {
 public:
    PaiReader(const ImportSource& source, const ImportOptions& options) : source_(source), jobs_(options, SourceClock::kTraceStart) {
        ImportReport& report = jobs_.report();
        report.time_rule = "seconds with a constant subtracted; time of day and weekday are right in UTC+8, the date is not";
        report.duration_meaning =
            "first start to last end of the job's GPU instances (of its GPU tasks where no instance is listed), without waiting";
    }

    Import read() {
        read_table("pai_task_table", true, &PaiReader::read_tasks);
        read_table("pai_job_table", false, &PaiReader::read_jobs);
        read_table("pai_instance_table", false, &PaiReader::read_instances);
        read_table("pai_group_tag_table", false, &PaiReader::read_tags);
        read_table("pai_machine_spec", false, &PaiReader::read_machines);
        for (PaiJob& job : records_) { add(job); }
        return naming_file(source_.name(),
                           [&] { return jobs_.finish(machines_.empty() ? std::nullopt : std::optional(machines_.cluster("pai2020"))); });
    }

 private:
    void read_table(const char* stem, bool required, void (PaiReader::*rows)(ByteSource&)) {
        auto file = required ? std::optional(source_.require(stem)) : source_.find(stem);
        if (!file) { return; }
        jobs_.report().files.push_back(file->name());
        naming_file(file->name(), [&] { (this->*rows)(*file); });
    }

    /// Rows of a table; a header line, which the originals lack, is passed over.
    template <class Row>
    static void for_each_row(ByteSource& source, std::vector<std::string> columns, const Row& row) {
        const std::string first = columns.front();
        CsvTable table(source, std::move(columns));
        while (table.next()) {
            if (table.line() == 1 && table.cell(0) == first) { continue; }
            row(table);
        }
    }

    PaiJob* find(std::string_view id) {
        const auto found = index_.find(std::string(id));
        return found == index_.end() ? nullptr : &records_[found->second];
    }

    PaiJob& at(std::string_view id) {
        const auto [entry, added] = index_.try_emplace(std::string(id), records_.size());
        if (added) { records_.emplace_back().id = id; }
        return records_[entry->second];
    }

    void read_tasks(ByteSource& source) {
        enum Column : std::size_t { kJob, kTask, kInstances, kStatus, kStart, kEnd, kCpu, kMemory, kGpu, kType };
        constexpr std::int64_t kMostInstances = 10'000'000;
        constexpr double kPercent = 100;
        for_each_row(
            source,
            {"job_name", "task_name", "inst_num", "status", "start_time", "end_time", "plan_cpu", "plan_mem", "plan_gpu", "gpu_type"},
            [&](const CsvTable& table) {
                if (table.cell(kJob).empty()) { return jobs_.drop("no job_id"); }
                PaiJob& job = at(table.cell(kJob));
                const std::int64_t instances = read_count(table, kInstances, kMostInstances).value_or(0);
                const double gpus = read_amount(table, kGpu).value_or(0) / kPercent;
                job.cpus += static_cast<double>(instances) * read_amount(table, kCpu).value_or(0) / kPercent;
                job.state = std::max(job.state, read_label(table, kStatus));
                if (gpus == 0) { return; }
                job.gpus.add(instances, gpus);
                job.tasks.add(read_moment(table, kStart), read_moment(table, kEnd));
                job.gpu_tasks += fmt::format("\n{}\n", table.cell(kTask));
                note_type(job, read_label(table, kType));
            });
    }

    static void note_type(PaiJob& job, Name type) {
        if (type.empty()) { return; }
        job.several_types = job.several_types || (!job.type.empty() && job.type != type);
        job.type = type;
    }

    void read_jobs(ByteSource& source) {
        enum Column : std::size_t { kJob, kId, kUser, kStatus, kStart, kEnd };
        for_each_row(source, {"job_name", "inst_id", "user", "status", "start_time", "end_time"}, [&](const CsvTable& table) {
            PaiJob* job = find(table.cell(kJob));
            if (job == nullptr) { return; }
            job->user = read_label(table, kUser);
            job->state = read_label(table, kStatus);
            job->submit = read_moment(table, kStart);
            if (!table.cell(kId).empty()) { by_tag_.emplace(table.cell(kId), job - records_.data()); }
        });
    }

    void read_instances(ByteSource& source) {
        enum Column : std::size_t { kJob, kTask, kName, kWorker, kId, kStatus, kStart, kEnd, kMachine };
        std::size_t strangers = 0;
        for_each_row(source,
                     {"job_name", "task_name", "inst_name", "worker_name", "inst_id", "status", "start_time", "end_time", "machine"},
                     [&](const CsvTable& table) {
                         PaiJob* job = find(table.cell(kJob));
                         if (job == nullptr) {
                             ++strangers;
                             return;
                         }
                         if (job->gpu_tasks.find(fmt::format("\n{}\n", table.cell(kTask))) == std::string::npos) { return; }
                         job->instances.add(read_moment(table, kStart), read_moment(table, kEnd));
                     });
        if (strangers > 0) {
            jobs_.report().notes.push_back(fmt::format("{} rows of pai_instance_table are of no job in pai_task_table", strangers));
        }
    }

    void read_tags(ByteSource& source) {
        enum Column : std::size_t { kId, kUser, kType, kGroup, kWorkload };
        for_each_row(source, {"inst_id", "user", "gpu_type_spec", "group", "workload"}, [&](const CsvTable& table) {
            const auto found = by_tag_.find(std::string(table.cell(kId)));
            if (found != by_tag_.end()) { records_[static_cast<std::size_t>(found->second)].allowed = read_types(table, kType); }
        });
    }

    void read_machines(ByteSource& source) {
        enum Column : std::size_t { kMachine, kType, kCpus, kMemory, kGpus };
        constexpr std::int64_t kMostGpus = 1000;
        for_each_row(source, {"machine", "gpu_type", "cap_cpu", "cap_mem", "cap_gpu"},
                     [&](const CsvTable& table) { machines_.add(table.cell(kType), read_count(table, kGpus, kMostGpus).value_or(0)); });
    }

    void add(PaiJob& job) {
        constexpr double kMostCpus = 100'000'000;
        RecordedJob record;
        record.job.id = std::move(job.id);
        record.extras.recorded_state = job.state;
        record.extras.user = job.user;
        record.extras.gpu_types = std::move(job.allowed);
        record.extras.cpus = static_cast<int>(std::min(std::ceil(job.cpus), kMostCpus));  // shares of a core are rounded up
        if (!job.several_types) { record.job.reference_gpu_type = job.type; }
        if (!job.gpus.apply(record)) { return jobs_.drop("more GPUs than can be"); }
        if (job.several_types) { jobs_.change("tasks on several GPU types: no reference type"); }
        const bool by_instance = job.instances.start && (job.instances.end || job.instances.open);
        set_times(record, by_instance ? job.instances : job.tasks, job);
        jobs_.add(std::move(record));
    }

    void set_times(RecordedJob& record, const Span& span, const PaiJob& job) {
        record.job.duration = Seconds{-1};
        std::optional<SimTime> submit = job.submit;
        if (!submit && span.start) {
            submit = span.start;
            jobs_.change("no start in the job table: submission is the first start");
        }
        record.job.submit = submit.value_or(SimTime{-1});
        record.extras.recorded_start = span.start;
        if (!span.start) { return; }
        if (span.open && job.state == running_) {
            record.running_since = span.start;
            record.job.duration = Seconds{0};
            return;
        }
        record.extras.recorded_end = span.end;
        if (span.end && *span.end >= *span.start) { record.job.duration = to_seconds(*span.end - *span.start); }
    }

    const ImportSource& source_;
    JobCollector jobs_;
    std::vector<PaiJob> records_;
    std::unordered_map<std::string, std::size_t> index_;      // by job_name
    std::unordered_map<std::string, std::ptrdiff_t> by_tag_;  // by inst_id
    NodeTable machines_;
    Name running_{"Running"};
};

class Pai2020Importer final : public Importer {
 public:
    std::string_view name() const override { return "pai2020"; }
    std::string_view description() const override {
        return "Alibaba PAI 2020: a folder with pai_task_table, and pai_job_, pai_instance_, pai_group_tag_table, pai_machine_spec";
    }
    Import import(const ImportSource& source, const ImportOptions& options) const override { return PaiReader(source, options).read(); }
};

}  // namespace

const Importer& pai2020_importer() {
    static const Pai2020Importer importer;
    return importer;
}

}  // namespace medley::io
