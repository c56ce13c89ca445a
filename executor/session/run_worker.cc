#include "executor/session/run_worker.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <optional>

#include <unistd.h>

#include "core/error.h"
#include "executor/session/control_client.h"
#include "executor/session/host_name.h"
#include "executor/session/training_thread.h"
#include "executor/worker/worker.h"

namespace medley::executor {
namespace {

constexpr Milliseconds kHeartbeat = 1000;  ///< finished steps are signs of life too; a hundred workers must not drown their coordinator
constexpr Milliseconds kConnectDeadline = 3000;
constexpr Milliseconds kFlushDeadline = 1000;
constexpr auto kFinishDeadline = std::chrono::milliseconds(3000);

/// The machine with its connection, its clock and its training thread.
class WorkerSession {
 public:
    explicit WorkerSession(const WorkerProcessOptions& options)
        : options_(options),
          client_(loop_, Role::kWorker,
                  {.connected = [this] { feed(Connected{}); },
                   .failed = [this](const std::string& reason) { feed(ConnectFailed{.reason = reason}); },
                   .received = [this](Message message) { feed(CoordinatorSaid{std::move(message)}); },
                   .closed = [this] { feed(Disconnected{}); }}),
          connect_(loop_, [this] { connect(); }),
          tick_(loop_, [this] { feed(ClockTicked{}); }),
          machine_({.worker = options.worker, .process = ::getpid(), .host = host_name(), .heartbeat = kHeartbeat}),
          training_(options.bind_address, [this](WorkerInput input) { tell(std::move(input)); }) {}

    int run() {
        loop_.post([this] { carry_out(machine_.start(loop_.now())); });
        loop_.run();
        return code_;
    }
    /// False if the training thread is stuck.
    bool finish() { return training_.finish(kFinishDeadline); }

 private:
    void tell(WorkerInput input) {
        loop_.post([this, input = std::move(input)]() mutable { feed(std::move(input)); });
    }

    void feed(WorkerInput input) {
        inputs_.push_back(std::move(input));
        if (std::exchange(busy_, true)) { return; }
        while (!inputs_.empty() && !ended_) {
            const WorkerInput next = std::move(inputs_.front());
            inputs_.pop_front();
            carry_out(machine_.handle(next, loop_.now()));
        }
        busy_ = false;
    }

    void carry_out(const std::vector<WorkerCommand>& commands) {
        for (const WorkerCommand& command : commands) {
            if (ended_) { return; }
            std::visit([this](const auto& what) { carry_out(what); }, command);
        }
    }
    void carry_out(const ConnectAt& what) { connect_.set(what.time); }
    void carry_out(const CloseConnection&) { client_.close(); }
    void carry_out(const SendToCoordinator& what) { client_.send(what.message); }
    void carry_out(const BuildEngine& what) { training_.build(what); }
    void carry_out(const StartGeneration& what) { training_.start(what); }
    void carry_out(const DeliverOffers& what) { training_.deliver(what.offers); }
    void carry_out(const PauseTrainer& what) { training_.pause(what.generation); }
    void carry_out(const AbortTrainer& what) { training_.abort(what.generation); }
    void carry_out(const SaveCheckpoint&) { training_.save(); }
    void carry_out(const TickAt& what) { tick_.set(what.time); }
    void carry_out(const ExitProcess& what) {
        ended_ = true;
        code_ = what.code;
        std::fprintf(stderr, "worker %u ends: %s\n", options_.worker, what.reason.c_str());
        client_.flush(kFlushDeadline, [this] { loop_.stop(); });
    }

    // Both files are read each time: a restarted coordinator listens elsewhere.
    void connect() {
        try {
            client_.connect(read_endpoint(options_.directory), read_secret(options_.directory), kConnectDeadline);
        } catch (const Error& error) {
            // A folder that is gone will not come back: the run has been deleted.
            feed(ConnectFailed{.reason = error.what(), .refused = !std::filesystem::exists(options_.directory)});
        }
    }

    WorkerProcessOptions options_;
    ControlLoop loop_;
    ControlClient client_;
    ControlLoop::Alarm connect_;
    ControlLoop::Alarm tick_;
    Worker machine_;
    std::deque<WorkerInput> inputs_;
    bool busy_ = false;
    bool ended_ = false;
    int code_ = 1;
    TrainingThread training_;  ///< last: it posts to the loop until it has ended
};

}  // namespace

int run_worker(const WorkerProcessOptions& options) {
    read_secret(options.directory);
    // A checkpoint that may not grow fails like one on a full disk; training goes on.
    std::signal(SIGXFSZ, SIG_IGN);
    WorkerSession session(options);
    const int code = session.run();
    if (!session.finish()) {
        // Stuck in a library or a driver: nothing that it holds is worth waiting for.
        std::fprintf(stderr, "worker %u: its training thread does not end; leaving it\n", options.worker);
        std::fflush(nullptr);
        std::_Exit(code);
    }
    return code;
}

}  // namespace medley::executor
