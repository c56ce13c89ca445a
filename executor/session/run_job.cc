#include "executor/session/run_job.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/error.h"
#include "executor/session/coordinator_session.h"
#include "executor/session/held_signals.h"
#include "executor/session/open_files.h"
#include "executor/session/run_folder.h"
#include "executor/session/wal_file.h"
#include "executor/training/checkpoint.h"

namespace medley::executor {
namespace {

namespace fs = std::filesystem;

CoordinatorOptions machine_options(const RunDescription& run, const RunOptions& options) {
    return {.setup = run.setup,
            .placement = run.placement,
            .timeouts = options.timeouts,
            .rebalance = options.rebalance,
            .planned = options.planned};
}

std::size_t most_workers(const Placement& placement, const RunOptions& options) {
    std::size_t most = placement.places.size();
    for (const auto& [step, planned] : options.planned) { most = std::max(most, planned.places.size()); }
    return most;
}

RunOptions in_absolute_folder(RunOptions options) {
    options.directory = fs::weakly_canonical(fs::absolute(options.directory));
    return options;
}

void prepare_folder(const fs::path& directory) {
    std::error_code error;
    fs::create_directories(directory / "logs", error);
    if (error) { throw Error(Problem{.file = directory.string(), .message = "cannot be made: " + error.message()}); }
}

// What is left of a start that was broken off before it had described its run.
void remove_broken_start(const fs::path& directory) {
    if (fs::exists(directory / "run.bin")) { throw Error(Problem{.file = directory.string(), .message = "holds another run already"}); }
    fs::remove(directory / "secret");
    fs::remove(directory / "wal");
}

/// Workers of earlier terms that were launched and are not known to be lost.
std::set<WorkerNumber> workers_left(const std::vector<Record>& log) {
    std::set<WorkerNumber> workers;
    for (const Record& record : log) {
        if (const auto* launched = std::get_if<LaunchedRecord>(&record)) { workers.insert(launched->worker); }
        if (const auto* lost = std::get_if<LostRecord>(&record)) { workers.erase(lost->worker); }
    }
    return workers;
}

// Those whose process is gone are told of at once; waiting for them would be in vain. Processes of fenced workers end with the run.
void adopt_workers(CoordinatorSession& session, const std::vector<Record>& log, const fs::path& directory) {
    std::set<WorkerNumber> missing = workers_left(log);
    for (const auto& [worker, process] : local_workers(directory)) {
        session.adopt(worker, process);
        missing.erase(worker);
    }
    for (const WorkerNumber worker : missing) { session.adopt(worker, 0); }
}

std::optional<CheckpointFound> newest_checkpoint(const RunDescription& run, const RunOptions& options) {
    const NewestCheckpoint found = find_checkpoint(options.directory, fingerprint(run.setup));
    for (const std::string& line : found.skipped) {
        if (options.warn) { options.warn(line); }
    }
    if (!found.file) { return std::nullopt; }
    return CheckpointFound{.step = found.step, .file = found.file->string()};
}

/// The port of the coordinator before, so that workers find the new one at once; another if it is taken by now.
std::unique_ptr<CoordinatorSession> listen_again(const CoordinatorSession::Parts& parts, const CoordinatorOptions& machine,
                                                 const std::vector<Record>& log, const std::optional<CheckpointFound>& checkpoint,
                                                 WalFile& wal) {
    const auto make = [&](std::uint16_t port) {
        CoordinatorSession::Parts here = parts;
        here.port = port;
        return std::make_unique<CoordinatorSession>(here, Coordinator::recover(machine, log, checkpoint), wal);
    };
    if (parts.options.port != 0) { return make(parts.options.port); }
    try {
        return make(read_endpoint(parts.options.directory).port);
    } catch (const Error&) { return make(0); }
}

}  // namespace

RunOutcome run_job(const RunSetup& setup, const Placement& placement, const RunOptions& given, const RunObserver& observer) {
    const HeldSignals held;
    require_open_files(most_workers(placement, given));
    prepare_folder(given.directory);
    const RunOptions options = in_absolute_folder(given);
    const RunLock lock(options.directory);
    remove_broken_start(options.directory);
    RunDescription run{.setup = setup, .placement = placement};
    run.setup.directory = options.directory;
    const Secret secret = create_secret(options.directory);
    WalFile wal(options.directory / "wal");
    CoordinatorSession session({.options = options, .observer = observer, .secret = secret, .port = options.port, .lease_s = setup.lease_s},
                               Coordinator(machine_options(run, options)), wal);
    write_run(options.directory, run);
    try {
        return session.run();
    } catch (const Error&) {
        if (!session.launched()) { fs::remove(options.directory / "run.bin"); }  // nothing that could be resumed
        throw;
    }
}

RunOutcome resume_job(const RunOptions& given, const RunObserver& observer) {
    const RunOptions options = in_absolute_folder(given);
    RunDescription run = read_run(options.directory);
    require_open_files(most_workers(run.placement, options));
    run.setup.directory = options.directory;
    const RunLock lock(options.directory);
    const Secret secret = read_secret(options.directory);
    WalFile::Opened log;
    WalFile wal(options.directory / "wal", &log);
    if (!log.note.empty() && options.warn) { options.warn(log.note); }
    const CoordinatorSession::Parts parts{.options = options, .observer = observer, .secret = secret, .lease_s = run.setup.lease_s};
    const auto session = listen_again(parts, machine_options(run, options), log.records, newest_checkpoint(run, options), wal);
    adopt_workers(*session, log.records, options.directory);
    RunOutcome outcome = session->run();
    outcome.earlier = std::move(log.records);
    return outcome;
}

}  // namespace medley::executor
