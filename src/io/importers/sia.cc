#include "io/importers/sia.h"

#include <algorithm>
#include <vector>

#include "core/error.h"
#include "io/csv_table.h"
#include "io/importers/job_collector.h"
#include "io/importers/record_fields.h"
#include "io/importers/single_file_importer.h"
#include "io/scalar.h"

namespace medley::io {
namespace {

/// What an application's job processes until it ends: iterations of its whole validation run at the smallest batch, and that batch
/// (last line of the artifact's validation-BATCH.csv).
struct Application {
    std::string_view name;
    std::int64_t iterations;
    std::int64_t smallest_batch;
};

constexpr Application kApplications[] = {
    {"bert", 14774, 12},       {"cifar10", 39063, 128}, {"deepspeech2", 28536, 20}, {"gpt_pmp", 14774, 12},
    {"imagenet", 576526, 200}, {"ncf", 194174, 256},    {"yolov3", 103444, 8},
};

const Application& find_application(const CsvTable& table, std::size_t column) {
    std::vector<std::string_view> names;
    for (const Application& application : kApplications) {
        if (application.name == table.cell(column)) { return application; }
        names.push_back(application.name);
    }
    table.refuse(column, expected_name(table.cell(column), names));
}

Import read_sia(ByteSource& source, const ImportOptions& options) {
    constexpr std::int64_t kMostSamples = 1'000'000'000;
    CsvTable table(source);
    const std::size_t name = table.require("name");
    const std::size_t time = table.require("time");
    const std::size_t application = table.require("application");
    const std::size_t replicas = table.require("num_replicas");
    const std::size_t batch = table.require("batch_size");
    const MaybeColumn category = table.find("category");
    JobCollector jobs(options, SourceClock::kTraceStart);
    ImportReport& report = jobs.report();
    report.files.push_back(source.name());
    report.duration_meaning = "none: work is the samples of the application's epochs, in steps of the batch asked for";
    report.time_rule = "seconds after the start; no zone";
    report.notes.emplace_back("that larger batches need more samples, and that batches adapt, is not modelled");
    while (table.next()) {
        RecordedJob record;
        record.job.id = table.cell(name);
        record.job.submit = read_moment(table, time).value_or(SimTime{-1});
        record.job.gpus = static_cast<int>(read_count(table, replicas).value_or(0));
        const Application& work = find_application(table, application);
        record.job.model = Name(work.name);
        record.job.batch_size = read_count(table, batch, kMostSamples).value_or(0);
        if (record.job.batch_size == 0) { table.refuse(batch, "a whole number of at least 1"); }
        const std::int64_t samples = work.iterations * work.smallest_batch;
        record.job.steps = (samples + record.job.batch_size - 1) / record.job.batch_size;
        record.extras.qos = read_label(table, category);
        jobs.add(std::move(record));
    }
    return jobs.finish();
}

}  // namespace

const Importer& sia_importer() {
    static const SingleFileImporter importer("sia", "Pollux 2021 and Sia 2023: name,time,application,num_replicas,batch_size", read_sia);
    return importer;
}

}  // namespace medley::io
