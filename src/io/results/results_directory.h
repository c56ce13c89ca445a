#pragma once
/// The directory of one simulation's or run's results: events.jsonl, jobs.csv, utilization.csv, summary.json.
///
/// All files appear together or not at all, and a directory made for them goes with them.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/results/event_log_writer.h"
#include "io/results/new_directory.h"
#include "io/results/output_file.h"
#include "sched/metrics.h"

namespace medley::io {

class ResultsDirectory {
 public:
    /// Makes the directory if it is absent. Throws medley::Error if it cannot be made or written to.
    explicit ResultsDirectory(const std::filesystem::path& path);

    /// Where the event log goes while the run lasts.
    EventSink& events() { return event_writer_; }
    /// Writes everything out under temporary names, so that what can fail has failed. Requires that the log has ended.
    void finish(const Metrics& metrics, const std::string& summary);
    /// One more file, to be written and finished by the caller before `commit`.
    OutputFile& add_file(const std::string& name);
    /// Gives all files their names. Requires `finish`.
    void commit();

 private:
    NewDirectory directory_;
    OutputFile event_file_;
    EventLogWriter event_writer_;
    std::vector<std::unique_ptr<OutputFile>> other_files_;
};

}  // namespace medley::io
