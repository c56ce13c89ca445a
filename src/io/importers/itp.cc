#include "io/importers/itp.h"

#include <unordered_set>

#include <fmt/format.h>

#include "core/error.h"
#include "io/csv_table.h"
#include "io/importers/model_assignment.h"
#include "io/scalar.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

constexpr std::int64_t kMostGpus = 100'000'000;

class ItpReader {
 public:
    ItpReader(std::string_view text, const ImportOptions& options) : table_(text), assignment_(options) {
        id_ = table_.require("job_id");
        submit_ = table_.require("submission_time");
        duration_ = table_.require("duration");
        gpus_ = table_.require("num_gpu");
        refuse_other_columns();
    }

    Import read() {
        result_.report.duration_meaning = "wall seconds of running on the recorded GPUs; jobs under 600 s were removed by the publishers";
        while (table_.next()) { read_row(); }
        result_.trace.order_jobs();
        result_.trace.validate();
        return std::move(result_);
    }

 private:
    void refuse_other_columns() const {
        constexpr std::size_t kColumns = 4;
        if (table_.columns().size() == kColumns) { return; }
        for (const std::string& name : table_.columns()) {
            if (name == "job_id" || name == "submission_time" || name == "duration" || name == "num_gpu") { continue; }
            refuse_value("line 1", name, "job_id, submission_time, duration and num_gpu alone");
        }
    }

    void read_row() {
        ++result_.report.rows;
        Job job{.id = std::string(table_.cell(id_)), .submit = read_submit(), .gpus = read_gpus(), .duration = read_duration()};
        if (const char* reason = reason_to_drop(job)) {
            ++result_.report.dropped[reason];
            return;
        }
        assignment_.assign(job);
        result_.trace.jobs.push_back(std::move(job));
    }

    const char* reason_to_drop(const Job& job) {
        if (job.id.empty()) { return "no job_id"; }
        if (job.gpus == 0) { return "no GPUs"; }
        if (job.duration.value == 0) { return "no duration"; }
        return seen_.insert(job.id).second ? nullptr : "job_id seen before";
    }

    SimTime read_submit() const {
        const auto time = to_time(table_.cell(submit_));
        if (!time || time->value < 0) { table_.refuse(submit_, "a number of seconds of at least 0"); }
        return *time;
    }

    Seconds read_duration() const {
        const auto seconds = to_duration(table_.cell(duration_));
        if (!seconds || seconds->value < 0) { table_.refuse(duration_, "a number of seconds of at least 0"); }
        return *seconds;
    }

    int read_gpus() const {
        const auto gpus = to_whole(table_.cell(gpus_));
        if (!gpus || *gpus < 0 || *gpus > kMostGpus) { table_.refuse(gpus_, fmt::format("a whole number from 0 to {}", kMostGpus)); }
        return static_cast<int>(*gpus);
    }

    CsvTable table_;
    ModelAssignment assignment_;
    std::size_t id_ = 0, submit_ = 0, duration_ = 0, gpus_ = 0;
    std::unordered_set<std::string> seen_;
    Import result_;
};

class ItpImporter final : public Importer {
 public:
    std::string_view name() const override { return "itp"; }
    std::string_view description() const override {
        return "Microsoft ITP clusters 2021 (ElasticFlow): job_id,submission_time,duration,num_gpu";
    }
    Import import(const std::filesystem::path& source, const ImportOptions& options) const override {
        return import_itp(read_text_file(source), source.string(), options);
    }
};

}  // namespace

Import import_itp(std::string_view text, const std::string& file, const ImportOptions& options) {
    return naming_file(file, [&] { return ItpReader(text, options).read(); });
}

const Importer& itp_importer() {
    static const ItpImporter importer;
    return importer;
}

}  // namespace medley::io
