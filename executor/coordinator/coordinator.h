#pragma once
/// The coordinator of one run: a pure state machine. Inputs in, commands out; no clock, no I/O, no threads.
///
/// It decides who is a member, where the virtual nodes lie and from which state a generation starts. It takes no part in training steps:
/// a generation trains on by itself until a worker is lost, a resize is asked for, or the last step is done.
///
/// **Rules** (each is an invariant that tests/property/executor checks over simulated schedules)
///  1. A generation number is never used twice; it is in the write-ahead log, durably, before any member hears of it.
///  2. At most one generation is live: a new one is formed only when every member of the last one has stopped, or is lost.
///  3. A generation starts from the highest step any live worker holds; with none alive, from the newest checkpoint; else from the seed.
///     So no finished step is undone while a worker lives, and none is applied twice to one state.
///  4. A lost worker's number is fenced: whatever it says later is answered with Shutdown. A replacement gets a new number.
///  5. Every wait has a deadline (`Timeouts`), so the machine never hangs.
///  6. A worker or a request that the machine cannot place is refused, never half accepted.
///  7. A coordinator that hears of a higher term has been replaced: it ends at once and touches nothing.
///
/// Time that the coordinator's own process was stopped counts for none of its deadlines.
///
/// **Life of a change**: pause (healthy members) or abort (a broken generation) -> all stopped or lost -> log -> Form -> offers
/// exchanged -> Joined by all -> training. New workers are launched, and build their engines, before the pause.
///
/// **Restart**: `recover` replays the log into a coordinator of the next term. Workers come back by themselves (Hello with what they
/// hold). If all members of the last generation are back and train, nothing is interrupted; those not back within
/// `Timeouts::recovery` are lost.
///
/// Cost of `handle`: O(workers) at most; O(1) for a Stepped or Heartbeat.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "executor/coordinator/records.h"
#include "executor/protocol/messages.h"

namespace medley::executor {

/// Milliseconds of a monotonic clock.
using Milliseconds = std::int64_t;

struct Timeouts {
    Milliseconds silence = 5000;      ///< no word for so long = lost
    Milliseconds lease = 1500;        ///< between two renewals of a worker's lease; well below what a worker takes for silence
    Milliseconds stop = 5000;         ///< from Pause or Abort to Stopped, beyond twice the time of a step
    Milliseconds form = 20000;        ///< from Form to Joined
    Milliseconds connect = 30000;     ///< from Launch to the first connection, which comes before the engine is built
    Milliseconds launch = 120000;     ///< from Launch to Ready
    Milliseconds reconnect = 300;     ///< a broken control connection may come back within this, unless the process is known to be dead
    Milliseconds recovery = 3000;     ///< after a restart of the coordinator, for workers to come back
    Milliseconds checkpoint = 60000;  ///< from asking a worker for a checkpoint to its being written
    Milliseconds relaunch = 1000;     ///< before a lost worker's place is filled again, doubled at each failure
    int relaunches = 3;               ///< of one place, without a step done in between
    int formations = 5;               ///< generations in a row that break without a step done and without a worker lost; then the run fails
};

// ---- inputs

struct WorkerConnected {  ///< authenticated, and said Hello
    Hello hello;
};
struct WorkerSaid {
    WorkerNumber worker = 0;
    Message message;
};
/// Its latest connection is gone. Nothing is said of one that a newer connection of the same worker has replaced.
struct WorkerDisconnected {
    WorkerNumber worker = 0;
};
/// Its process has ended (known of local ones), or could not be launched.
struct WorkerExited {
    WorkerNumber worker = 0;
    std::string how;
};
struct OperatorAsked {
    std::uint64_t request = 0;
    Message message;  ///< StatusRequest, ResizeRequest or StopRequest
};
struct TimePassed {};
using CoordinatorInput = std::variant<WorkerConnected, WorkerSaid, WorkerDisconnected, WorkerExited, OperatorAsked, TimePassed>;

// ---- commands, to be carried out in order; a crash may come between any two

/// Append to the write-ahead log; `durable` = fsync before the next command.
struct AppendRecord {
    Record record;
    bool durable = false;
};
struct SendToWorker {
    WorkerNumber worker = 0;
    Message message;
};
/// A failure to do so is told as WorkerExited.
struct LaunchWorker {
    WorkerNumber worker = 0;
    Place place;
};
/// End its process if it can be reached, and close its connection.
struct KillWorker {
    WorkerNumber worker = 0;
};
struct AnswerOperator {
    std::uint64_t request = 0;
    Message message;
};
/// Call again with TimePassed no later than this; replaces the one before.
struct WakeAtTime {
    Milliseconds time = 0;
};
/// For people, logs and the run's report: what has just become true.
struct Announce {
    Record record;
};
/// The run is over; nothing follows. A run stopped by its operator succeeded in that. All workers have ended or been told to, unless a
/// coordinator of a later term has taken over.
struct RunEnded {
    bool succeeded = false;
    std::string reason;
};
using CoordinatorCommand =
    std::variant<AppendRecord, SendToWorker, LaunchWorker, KillWorker, AnswerOperator, WakeAtTime, Announce, RunEnded>;

/// Where the virtual nodes go when the places are not as planned: the live workers' places (their virtual nodes as last held) -> a
/// placement over them, each virtual node once. Must be a pure function.
using Rebalance = Placement (*)(std::span<const Place> live, std::span<const std::int64_t> virtual_nodes);

struct CoordinatorOptions {
    RunSetup setup;
    Placement placement;  ///< wanted at first; each virtual node exactly once
    Timeouts timeouts;
    Rebalance rebalance = nullptr;                    ///< null = longest processing time first (mapping.h)
    std::vector<std::pair<Step, Placement>> planned;  ///< resizes asked for once so many steps are done, ascending
};

class Coordinator {
 public:
    explicit Coordinator(CoordinatorOptions options);
    ~Coordinator();
    /// The coordinator of the next term, from the log of earlier ones. `checkpoint` is the newest valid checkpoint file, if any.
    static Coordinator recover(CoordinatorOptions options, std::span<const Record> log, std::optional<CheckpointFound> checkpoint);
    Coordinator(Coordinator&&) noexcept;

    /// The first commands (term to the log, workers to launch, or waiting for them).
    std::vector<CoordinatorCommand> start(Milliseconds now);
    /// Requires `now` never to decrease.
    std::vector<CoordinatorCommand> handle(const CoordinatorInput& input, Milliseconds now);

    Term term() const;
    bool ended() const;
    StatusReply status() const;

 private:
    class Impl;
    explicit Coordinator(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace medley::executor
