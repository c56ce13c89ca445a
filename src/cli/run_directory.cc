#include "cli/run_directory.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "executor/session/run_folder.h"
#include "io/profile_file.h"
#include "io/profile_writing.h"
#include "io/results/output_file.h"
#include "io/scalar.h"

namespace medley::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProfile = "profile.yaml";
constexpr const char* kResizes = "resizes.yaml";
constexpr const char* kJob = "job.yaml";

std::vector<std::string> runs_in(const fs::path& folder) {
    std::vector<std::string> runs;
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
        if (holds_run(entry->path())) { runs.push_back(entry->path().filename().string()); }
    }
    std::sort(runs.begin(), runs.end());
    return runs;
}

void remove_contents(const fs::path& directory) {
    std::error_code ignored;
    for (fs::directory_iterator entry(directory, ignored), end; entry != end; entry.increment(ignored)) {
        fs::remove_all(entry->path(), ignored);
    }
}

}  // namespace

bool holds_run(const fs::path& directory) {
    std::error_code ignored;
    return fs::is_regular_file(directory / "run.bin", ignored);
}

NewRunDirectory::NewRunDirectory(const fs::path& directory) : directory_(directory) {
    if (holds_run(directory)) {
        throw Error(Problem{.file = directory.string(),
                            .expected = fmt::format("a new folder (--out), or medley run --resume {}", directory.string()),
                            .message = "holds a run already"});
    }
    std::error_code failed;
    if (!fs::is_empty(directory, failed) || failed) {
        throw Error(Problem{.file = directory.string(), .expected = "a new or an empty folder", .message = "is not empty"});
    }
}

NewRunDirectory::~NewRunDirectory() {
    if (holds_run(directory_.path())) { return directory_.keep(); }
    try {
        const executor::RunLock lock(directory_.path());
        remove_contents(directory_.path());
    } catch (const Error&) { directory_.keep(); }  // another run began in it at the same time
}

fs::path find_run(const std::string& option, const std::string& job) {
    if (holds_run(job)) { return job; }
    if (holds_run(fs::path(kRunsFolder) / job)) { return fs::path(kRunsFolder) / job; }
    const std::vector<std::string> runs = runs_in(kRunsFolder);
    const std::vector<std::string_view> known(runs.begin(), runs.end());
    refuse_value(option, job, known.empty() ? "the folder of a run" : "the folder of a run, or " + io::expected_name(job, known));
}

void write_extras(const fs::path& directory, const PreparedRun& run) {
    io::write_text_file(directory / kJob, run.job_text);
    if (run.extras.profile) { io::write_text_file(directory / kProfile, io::format_profile(*run.extras.profile)); }
    if (!run.extras.resizes.empty()) { io::write_text_file(directory / kResizes, io::format_resize_plan(run.extras.resizes)); }
}

RunExtras read_extras(const fs::path& directory) {
    RunExtras extras;
    if (fs::exists(directory / kProfile)) { extras.profile = io::load_profile(directory / kProfile); }
    if (fs::exists(directory / kResizes)) { extras.resizes = io::load_resize_plan(directory / kResizes); }
    return extras;
}

}  // namespace medley::cli
