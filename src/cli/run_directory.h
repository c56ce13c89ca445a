#pragma once
/// The folder of a run, as far as the command line knows it; what the executor keeps in it stands in executor/session/run_job.h.

#include <filesystem>
#include <string>

#include "cli/run_plan.h"
#include "io/results/new_directory.h"

namespace medley::cli {

/// Where runs are kept unless a folder is named.
inline constexpr const char* kRunsFolder = "runs";

/// The folder of a new run, taken away again with all that was put into it unless a run was started there.
class NewRunDirectory {
 public:
    /// Makes it. Throws medley::Error if it holds anything: another run goes on with --resume.
    explicit NewRunDirectory(const std::filesystem::path& directory);
    ~NewRunDirectory();
    NewRunDirectory(const NewRunDirectory&) = delete;
    NewRunDirectory& operator=(const NewRunDirectory&) = delete;

 private:
    io::NewDirectory directory_;
};

/// Whether a run was ever started in the folder.
bool holds_run(const std::filesystem::path& directory);

/// The folder of a run: as given, or below `kRunsFolder`. Throws medley::Error naming the nearest known run.
std::filesystem::path find_run(const std::string& option, const std::string& job);

/// profile.yaml, resizes.yaml and job.yaml of a run.
void write_extras(const std::filesystem::path& directory, const PreparedRun& run);
RunExtras read_extras(const std::filesystem::path& directory);

}  // namespace medley::cli
