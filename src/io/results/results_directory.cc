#include "io/results/results_directory.h"

#include "io/results/jobs_csv.h"
#include "io/results/utilization_csv.h"

namespace medley::io {

ResultsDirectory::ResultsDirectory(const std::filesystem::path& path)
    : directory_(path), event_file_(directory_.path() / "events.jsonl"), event_writer_(event_file_) {}

void ResultsDirectory::finish(const Metrics& metrics, const std::string& summary) {
    event_file_.finish();
    OutputFile& jobs = add_file("jobs.csv");
    write_jobs_csv(jobs, metrics);
    jobs.finish();
    OutputFile& utilization = add_file("utilization.csv");
    write_utilization_csv(utilization, metrics);
    utilization.finish();
    OutputFile& summary_file = add_file("summary.json");
    summary_file.write(summary);
    summary_file.finish();
}

OutputFile& ResultsDirectory::add_file(const std::string& name) {
    return *other_files_.emplace_back(std::make_unique<OutputFile>(directory_.path() / name));
}

void ResultsDirectory::commit() {
    event_file_.commit();
    for (const std::unique_ptr<OutputFile>& file : other_files_) { file->commit(); }
    directory_.keep();
}

}  // namespace medley::io
