#include "io/importers/philly_flat.h"

#include <fmt/format.h>

#include "io/csv_table.h"
#include "io/importers/job_collector.h"
#include "io/importers/record_fields.h"
#include "io/text_file.h"

namespace medley::io {
namespace {

constexpr const char* kPacific = "PST8PDT,M3.2.0,M11.1.0";

class PhillyFlatReader {
 public:
    PhillyFlatReader(ByteSource& source, const ImportOptions& options)
        : table_(source), zone_(options.time_zone.empty() ? kPacific : options.time_zone), jobs_(options, SourceClock::k1970, zone_) {
        submit_ = table_.require("timestamp");
        duration_ = table_.require("duration");
        gpus_ = table_.require("num_gpus");
        tenant_ = table_.find("cluster");
        ImportReport& report = jobs_.report();
        report.files.push_back(source.name());
        report.duration_meaning = "the sum of the attempts' run times";
        report.time_rule = fmt::format("wall clock without zone, read as {}", zone_.text());
        report.notes.emplace_back("job_id is the row: the source has none; it holds survivors only (no state, no job without attempts)");
    }

    Import read() {
        for (std::size_t row = 1; table_.next(); ++row) {
            RecordedJob record;
            record.job.id = std::to_string(row);
            record.job.submit = read_date(table_, submit_, zone_).value_or(SimTime{-1});
            record.job.gpus = static_cast<int>(read_count(table_, gpus_).value_or(0));
            record.job.duration = read_seconds(table_, duration_).value_or(Seconds{-1});
            record.extras.tenant = read_label(table_, tenant_);
            jobs_.add(std::move(record));
        }
        return jobs_.finish();
    }

 private:
    CsvTable table_;
    ZoneRule zone_;
    JobCollector jobs_;
    std::size_t submit_ = 0, duration_ = 0, gpus_ = 0;
    MaybeColumn tenant_;
};

class PhillyFlatImporter final : public Importer {
 public:
    std::string_view name() const override { return "philly-flat"; }
    std::string_view description() const override {
        return "Philly as the Pollux and Sia artifacts publish it: timestamp,duration,num_gpus,gpu_time,cluster";
    }
    Import import(const ImportSource& source, const ImportOptions& options) const override {
        ByteSource bytes = source.open();
        return naming_file(bytes.name(), [&] { return PhillyFlatReader(bytes, options).read(); });
    }
};

}  // namespace

const Importer& philly_flat_importer() {
    static const PhillyFlatImporter importer;
    return importer;
}

}  // namespace medley::io
