#pragma once
/// The control side of one worker: a pure state machine. Inputs in, commands out; no clock, no I/O, no threads.
///
/// Beside it runs a trainer (training/trainer.h) that does the steps of one generation at a time and reports back; the machine decides
/// when it may start, must pause, or must abort. It trains on while the coordinator is away, until its lease ends; then it writes a
/// checkpoint and ends.
///
/// **Rules**
///  1. Only messages of the highest term ever seen are obeyed; a lower one is answered by closing the connection.
///  2. Form is obeyed only outside a generation, and only with a number higher than any before; a repeated one is ignored.
///  3. Pause and Abort count for the current generation alone; late ones are ignored.
///  4. Messages may come twice or late; none is applied twice.
///  5. Without the coordinator's word for `lease`, the worker stops at a step boundary, saves and exits.
///  6. After each Hello it says again whatever the coordinator may have missed (Ready; Offers and Joined of the generation it is in; else
///     its last Stopped; its last Checkpointed), so that a lost connection loses nothing but Stepped.
///  7. Rank 0 says each finished step. The others say the same few among them, each about once in a heartbeat's time when they are many, so
///     that the coordinator's work does not grow with short steps. Whatever is said is a sign of life; a Heartbeat is said when nothing is.
///
/// Time that the process itself was stopped counts for none of its deadlines.

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "executor/protocol/messages.h"

namespace medley::executor {

using Milliseconds = std::int64_t;

struct WorkerOptions {
    WorkerNumber worker = 0;
    std::int64_t process = 0;
    std::string host;
    Milliseconds heartbeat = 500;
    Milliseconds reconnect = 50;  ///< first wait before connecting again; doubled up to a second
    Milliseconds silence = 5000;  ///< connected, and not a word from the coordinator for so long: connect anew
    Milliseconds join = 30000;    ///< for the very first Welcome
};

// ---- inputs

struct Connected {};
struct ConnectFailed {
    std::string reason;
    bool refused = false;  ///< the coordinator's answer to our secret: do not try again
};
/// Not said of a connection that was closed by command.
struct Disconnected {};
struct CoordinatorSaid {
    Message message;
};
struct EngineBuilt {
    std::string device_name;
    std::int64_t state_bytes = 0;
};
struct EngineFailed {
    std::string reason;
};
/// The trainer wants its blob exchanged with the other members'.
struct TrainerOffers {
    Generation generation = 0;
    std::uint32_t round = 0;
    std::string blob;
};
struct TrainerJoined {
    Generation generation = 0;
    Step step = 0;
};
struct TrainerStepped {
    Stepped stepped;
};
/// The trainer is idle again.
struct TrainerStopped {
    Stopped stopped;
};
struct TrainerCheckpointed {
    Checkpointed checkpoint;
};
struct ClockTicked {};
using WorkerInput = std::variant<Connected, ConnectFailed, Disconnected, CoordinatorSaid, EngineBuilt, EngineFailed, TrainerOffers,
                                 TrainerJoined, TrainerStepped, TrainerStopped, TrainerCheckpointed, ClockTicked>;

// ---- commands

/// Connect at this time (replaces an earlier ConnectAt); answered by Connected or ConnectFailed.
struct ConnectAt {
    Milliseconds time = 0;
};
struct CloseConnection {};
struct SendToCoordinator {
    Message message;
};
struct BuildEngine {
    RunSetup setup;
    Place place;
};
struct StartGeneration {
    Form form;
    std::uint32_t rank = 0;
};
struct DeliverOffers {
    Offers offers;
};
/// Stop at the next step boundary, together with the other members.
struct PauseTrainer {
    Generation generation = 0;
};
/// Make the trainer's collective fail now.
struct AbortTrainer {
    Generation generation = 0;
};
/// Only while the trainer is idle; answered by TrainerCheckpointed.
struct SaveCheckpoint {};
/// Call again with ClockTicked no later than this; replaces the one before.
struct TickAt {
    Milliseconds time = 0;
};
/// Nothing follows.
struct ExitProcess {
    int code = 0;
    std::string reason;
};
using WorkerCommand = std::variant<ConnectAt, CloseConnection, SendToCoordinator, BuildEngine, StartGeneration, DeliverOffers, PauseTrainer,
                                   AbortTrainer, SaveCheckpoint, TickAt, ExitProcess>;

class Worker {
 public:
    explicit Worker(WorkerOptions options);
    ~Worker();
    Worker(Worker&&) noexcept;

    std::vector<WorkerCommand> start(Milliseconds now);
    /// Requires `now` never to decrease.
    std::vector<WorkerCommand> handle(const WorkerInput& input, Milliseconds now);

 private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace medley::executor
