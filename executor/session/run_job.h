#pragma once
/// A run from end to end in this process: the coordinator with its sockets, its log, its launcher and its clock.
///
/// The run's folder holds: `secret` (mode 0600), `endpoint` (host:port, renamed into place), `wal` (write-ahead log), `run.bin` (setup and
/// first placement), `logs/worker-N.log`, `step-*.ckpt`, and what the command line adds. A folder is locked by the coordinator
/// that uses it.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "executor/coordinator/coordinator.h"

namespace medley::executor {

struct RunOptions {
    std::filesystem::path directory;
    std::string bind_address = "127.0.0.1";
    std::uint16_t port = 0;  ///< 0 = any, or the earlier one on a resume
    std::string program;     ///< this very program, for workers
    Timeouts timeouts;
    Rebalance rebalance = nullptr;
    std::vector<std::pair<Step, Placement>> planned;
    std::function<void(const std::string&)> warn;    ///< one line: something is wrong, but the run goes on
    std::function<void(const std::string&)> detail;  ///< one line, for those who want to know more: peers dropped, processes ended
};

/// Called on the session's thread: what has just become true, and when (seconds since this process began the run).
using RunObserver = std::function<void(const Record& record, double seconds)>;

struct RunOutcome {
    bool succeeded = false;
    std::string reason;
    Term term = 1;
    std::vector<Record> earlier;     ///< of earlier terms, on a resume
    std::int64_t dropped_peers = 0;  ///< connections that did not prove themselves, or sent what is no message
};

/// Starts a new run. Throws medley::Error if the folder is in use or holds another run, an address cannot be bound, and so on.
/// SIGINT and SIGTERM stop the run gracefully: a checkpoint, then every worker ends; a second one at once. Throws also when the log can no
/// longer be written; the workers then train on under their lease, and `resume_job` finds them.
RunOutcome run_job(const RunSetup& setup, const Placement& placement, const RunOptions& options, const RunObserver& observer);

/// Goes on with the run in the folder: takes its workers back, or starts from its newest checkpoint.
RunOutcome resume_job(const RunOptions& options, const RunObserver& observer);

/// Setup and first placement of the run in a folder. Throws medley::Error.
struct RunDescription {
    RunSetup setup;
    Placement placement;
};
RunDescription read_run(const std::filesystem::path& directory);

}  // namespace medley::executor
