#include "io/importers/chronus.h"

#include "io/importers/single_file_importer.h"
#include "io/importers/workload_csv.h"

namespace medley::io {
namespace {

Import read_chronus(ByteSource& source, const ImportOptions& options) {
    WorkloadCsv rows(source, options, 1);
    const std::size_t kind = rows.table().require("job_type");
    const MaybeColumn tenant = rows.table().find("user");
    const MaybeColumn deadline = rows.table().find("expect_time_list");
    ImportReport& report = rows.jobs().report();
    report.duration_meaning = "wall seconds of running, from Philly";
    report.time_rule = "seconds after the start; no zone";
    report.notes.emplace_back("virtual clusters and models were drawn at random by the publishers");
    const Name strict("strict");
    while (rows.next()) {
        RecordedJob record = rows.record();
        record.extras.tenant = read_label(rows.table(), tenant);
        record.extras.qos = read_label(rows.table(), kind);
        const auto seconds = record.extras.qos == strict ? rows.seconds(deadline) : std::nullopt;
        if (seconds && seconds->value > 0) { record.job.deadline = seconds; }
        rows.jobs().add(std::move(record));
    }
    return rows.jobs().finish();
}

}  // namespace

const Importer& chronus_importer() {
    static const SingleFileImporter importer(
        "chronus", "Chronus 2021: Philly's durations with deadlines (job_id,user,num_gpu,...,job_type)", read_chronus);
    return importer;
}

}  // namespace medley::io
