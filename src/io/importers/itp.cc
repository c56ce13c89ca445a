#include "io/importers/itp.h"

#include <array>

#include "core/error.h"
#include "io/csv_table.h"
#include "io/importers/job_collector.h"
#include "io/importers/record_fields.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

class ItpReader {
 public:
    ItpReader(ByteSource& source, const ImportOptions& options) : table_(source), jobs_(options, SourceClock::kTraceStart) {
        id_ = table_.require("job_id");
        submit_ = table_.require("submission_time");
        duration_ = table_.require("duration");
        gpus_ = table_.require("num_gpu");
        constexpr std::array<std::string_view, 4> kColumns = {"job_id", "submission_time", "duration", "num_gpu"};
        table_.allow(kColumns);
        ImportReport& report = jobs_.report();
        report.files.push_back(source.name());
        report.duration_meaning = "wall seconds of running on the recorded GPUs; jobs under 600 s were removed by the publishers";
        report.time_rule = "seconds after the start common to all ITP files (2021-03-04); no zone";
    }

    Import read() {
        while (table_.next()) { jobs_.add(read_row()); }
        return jobs_.finish();
    }

 private:
    RecordedJob read_row() const {
        RecordedJob record;
        record.job.id = table_.cell(id_);
        record.job.submit = read_moment(table_, submit_).value_or(SimTime{-1});
        record.job.gpus = static_cast<int>(read_count(table_, gpus_).value_or(0));
        record.job.duration = read_seconds(table_, duration_).value_or(Seconds{-1});
        return record;
    }

    CsvTable table_;
    JobCollector jobs_;
    std::size_t id_ = 0, submit_ = 0, duration_ = 0, gpus_ = 0;
};

class ItpImporter final : public Importer {
 public:
    std::string_view name() const override { return "itp"; }
    std::string_view description() const override {
        return "Microsoft ITP clusters 2021 (ElasticFlow): job_id,submission_time,duration,num_gpu";
    }
    Import import(const ImportSource& source, const ImportOptions& options) const override {
        ByteSource bytes = source.open();
        return naming_file(bytes.name(), [&] { return ItpReader(bytes, options).read(); });
    }
};

}  // namespace

const Importer& itp_importer() {
    static const ItpImporter importer;
    return importer;
}

}  // namespace medley::io
