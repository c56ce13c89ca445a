#include "io/importers/synergy.h"

#include "io/csv_table.h"
#include "io/importers/job_collector.h"
#include "io/importers/record_fields.h"
#include "io/importers/single_file_importer.h"

namespace medley::io {
namespace {

Import read_synergy(ByteSource& source, const ImportOptions& options) {
    enum Column : std::size_t { kId, kModel, kArrival, kIterations, kGpus };
    CsvTable table(source, {"job_id", "model", "arrival", "iterations", "gpus"});
    JobCollector jobs(options, SourceClock::kTraceStart);
    ImportReport& report = jobs.report();
    report.files.push_back(source.name());
    report.duration_meaning = "iterations, a second each: the file states no time of an iteration";
    report.time_rule = "seconds after the start; no zone";
    while (table.next()) {
        RecordedJob record;
        record.job.id = table.cell(kId);
        record.job.model = read_label(table, kModel);
        record.job.submit = read_moment(table, kArrival).value_or(SimTime{-1});
        record.job.duration = read_seconds(table, kIterations).value_or(Seconds{-1});
        record.job.gpus = static_cast<int>(read_count(table, kGpus).value_or(0));
        jobs.change("an iteration counts as a second");
        jobs.add(std::move(record));
    }
    return jobs.finish();
}

}  // namespace

const Importer& synergy_importer() {
    static const SingleFileImporter importer("synergy", "Synergy 2022: job id, model, arrival, iterations, GPUs, without a header",
                                             read_synergy);
    return importer;
}

}  // namespace medley::io
