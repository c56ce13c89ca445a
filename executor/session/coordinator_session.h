#pragma once
/// The coordinator's machine with its sockets, its log, its launcher and its clock, on one thread.

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "executor/coordinator/coordinator.h"
#include "executor/launchers/launcher.h"
#include "executor/session/control_loop.h"
#include "executor/session/control_server.h"
#include "executor/session/run_folder.h"
#include "executor/session/run_job.h"
#include "executor/session/wal_file.h"

namespace medley::executor {

class CoordinatorSession {
 public:
    struct Parts {
        RunOptions options;  ///< directory absolute
        RunObserver observer;
        Secret secret{};
        std::uint16_t port = 0;
        double lease_s = 0;
    };
    /// Listens, and publishes the endpoint. Throws medley::Error.
    CoordinatorSession(Parts parts, Coordinator machine, WalFile& wal);

    /// Watches a process of an earlier term; 0 = there is none any more, and the machine is told so.
    void adopt(WorkerNumber worker, std::int64_t process);
    /// Until the run is over and its processes have ended.
    RunOutcome run();
    /// Whether there is, or was, a worker that may outlive a failure of `run`.
    bool launched() const { return launched_; }

 private:
    struct Peer {
        Role role = Role::kWorker;
        std::optional<WorkerNumber> worker;  ///< once it has said Hello
    };

    void received(ConnectionId connection, Message message);
    void hear_worker(ConnectionId connection, Peer& peer, Message message);
    void hear_operator(ConnectionId connection, const Message& message);
    void closed(ConnectionId connection);
    void refuse(ConnectionId connection, const char* why);
    void reap();
    void interrupted(int signal);

    void feed(CoordinatorInput input);
    void carry_out(const std::vector<CoordinatorCommand>& commands);
    void carry_out(const AppendRecord& what);
    void carry_out(const SendToWorker& what);
    void carry_out(const LaunchWorker& what);
    void carry_out(const KillWorker& what);
    void carry_out(const AnswerOperator& what);
    void carry_out(const WakeAtTime& what);
    void carry_out(const Announce& what);
    void carry_out(const RunEnded& what);

    void write_log();
    void kill_processes();
    void wait_for_end();
    void warn(const std::string& line) const;
    void detail(const std::string& line) const;

    Parts parts_;
    ControlLoop loop_;
    Coordinator machine_;
    WalFile& wal_;
    std::unique_ptr<Launcher> launcher_;
    ControlServer server_;
    ControlLoop::Alarm wake_;
    ControlLoop::Alarm log_;   ///< writes what need not be durable at once
    ControlLoop::Alarm look_;  ///< after processes that no signal tells of
    ControlLoop::Alarm end_;
    Milliseconds began_;

    std::map<ConnectionId, Peer> peers_;
    std::map<WorkerNumber, ConnectionId> connection_of_;
    std::map<std::uint64_t, ConnectionId> asker_of_;
    std::uint64_t last_request_ = 0;
    std::set<WorkerNumber> processes_;
    std::deque<CoordinatorInput> inputs_;
    bool busy_ = false;
    bool started_ = false;
    bool launched_ = false;
    bool disk_full_ = false;
    std::optional<RunOutcome> outcome_;
    Milliseconds patience_ends_ = 0;
    int interruptions_ = 0;
    std::int64_t dropped_ = 0;
};

}  // namespace medley::executor
