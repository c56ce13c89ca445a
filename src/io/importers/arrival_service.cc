#include "io/importers/arrival_service.h"

#include "io/csv_table.h"
#include "io/importers/job_collector.h"
#include "io/importers/record_fields.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

class ArrivalServiceReader {
 public:
    ArrivalServiceReader(ByteSource& source, const ImportOptions& options) : table_(source), jobs_(options, SourceClock::kTraceStart) {
        id_ = table_.require("job_id");
        submit_ = table_.require("arrival_s");
        duration_ = table_.require("service_sec");
        gpus_ = table_.require("gpu_count");
        ImportReport& report = jobs_.report();
        report.files.push_back(source.name());
        report.duration_meaning = "end - start in wall seconds, cut at 172,800 s by its publisher";
        report.time_rule = "seconds after the first arrival; no zone";
        report.notes.emplace_back(
            "made from another trace: no state, user or virtual cluster; of PAI, arrivals are task starts and shares of a GPU "
            "count as whole ones");
    }

    Import read() {
        constexpr Seconds kCut{172800};
        while (table_.next()) {
            RecordedJob record;
            record.job.id = table_.cell(id_);
            record.job.submit = read_moment(table_, submit_).value_or(SimTime{-1});
            record.job.duration = read_seconds(table_, duration_).value_or(Seconds{-1});
            record.job.gpus = static_cast<int>(read_count(table_, gpus_).value_or(0));
            cut_ += record.job.duration == kCut ? 1 : 0;
            jobs_.add(std::move(record));
        }
        if (cut_ > 0) { jobs_.report().notes.push_back(std::to_string(cut_) + " durations stand at the cut and were longer"); }
        return jobs_.finish();
    }

 private:
    CsvTable table_;
    JobCollector jobs_;
    std::size_t id_ = 0, submit_ = 0, duration_ = 0, gpus_ = 0;
    std::size_t cut_ = 0;
};

class ArrivalServiceImporter final : public Importer {
 public:
    std::string_view name() const override { return "arrival-service"; }
    std::string_view description() const override { return "extracts of Helios Venus and PAI: job_id,arrival_s,service_sec,gpu_count"; }
    Import import(const ImportSource& source, const ImportOptions& options) const override {
        ByteSource bytes = source.open();
        return naming_file(bytes.name(), [&] { return ArrivalServiceReader(bytes, options).read(); });
    }
};

}  // namespace

const Importer& arrival_service_importer() {
    static const ArrivalServiceImporter importer;
    return importer;
}

}  // namespace medley::io
