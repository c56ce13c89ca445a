#include "io/importers/muri.h"

#include "io/importers/single_file_importer.h"
#include "io/importers/workload_csv.h"

namespace medley::io {
namespace {

Import read_muri(ByteSource& source, const ImportOptions& options) {
    constexpr double kMillisecondsPerSecond = 1000;
    WorkloadCsv rows(source, options, kMillisecondsPerSecond);
    rows.table().require("iteration_time");
    rows.table().require("resource_time_0");
    ImportReport& report = rows.jobs().report();
    report.duration_meaning = "iterations x iteration_time: running alone on the requested GPUs";
    report.time_rule = "milliseconds after the start; no zone";
    report.notes.emplace_back("models were assigned at random by the publishers");
    while (rows.next()) { rows.jobs().add(rows.record()); }
    return rows.jobs().finish();
}

}  // namespace

const Importer& muri_importer() {
    static const SingleFileImporter importer("muri", "Muri 2022: milliseconds, with iteration_time and resource_time_0..2", read_muri);
    return importer;
}

}  // namespace medley::io
