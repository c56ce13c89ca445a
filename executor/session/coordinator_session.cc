#include "executor/session/coordinator_session.h"

#include <algorithm>
#include <csignal>
#include <filesystem>

#include <fmt/format.h>

#include "core/error.h"
#include "executor/session/held_signals.h"
#include "executor/session/host_name.h"

namespace medley::executor {
namespace {

constexpr Milliseconds kLookEvery = 100;
constexpr Milliseconds kEndLookEvery = 10;
constexpr Milliseconds kAfterKill = 2000;
constexpr Milliseconds kLogDelay = 20;  ///< of what a crash may cost

template <class... Kinds>
bool is_one_of(const Message& message) {
    return (std::holds_alternative<Kinds>(message) || ...);
}

/// Where workers and operators are told to connect: an address that others can reach.
std::string host_to_publish(const std::string& bind_address) {
    const bool any = bind_address == "0.0.0.0" || bind_address == "::";
    return any ? host_name() : bind_address;
}

}  // namespace

CoordinatorSession::CoordinatorSession(Parts parts, Coordinator machine, WalFile& wal)
    : parts_(std::move(parts)),
      machine_(std::move(machine)),
      wal_(wal),
      launcher_(make_local_launcher(parts_.options.program)),
      server_(loop_, parts_.secret, parts_.options.bind_address, parts_.port, {},
              {.opened = [this](ConnectionId connection, Role role) { peers_[connection].role = role; },
               .received = [this](ConnectionId connection, Message message) { received(connection, std::move(message)); },
               .closed = [this](ConnectionId connection) { closed(connection); },
               .dropped =
                   [this](const std::string& why) {
                       ++dropped_;
                       detail("dropped a connection: " + why);
                   }}),
      wake_(loop_, [this] { feed(TimePassed{}); }),
      log_(loop_, [this] { write_log(); }),
      look_(loop_,
            [this] {
                reap();
                look_.set(loop_.now() + kLookEvery);
            }),
      end_(loop_, [this] { wait_for_end(); }),
      began_(loop_.now()) {
    publish_endpoint(parts_.options.directory, {.host = host_to_publish(parts_.options.bind_address), .port = server_.port()});
}

void CoordinatorSession::adopt(WorkerNumber worker, std::int64_t process) {
    launched_ = true;
    launcher_->adopt(worker, process, parts_.options.directory);
    processes_.insert(worker);
}

RunOutcome CoordinatorSession::run() {
    // A file that may not grow is to be an error like a full disk, not the end of the process.
    std::signal(SIGXFSZ, SIG_IGN);
    loop_.on_signals({SIGINT, SIGTERM, SIGCHLD}, [this](int signal) { signal == SIGCHLD ? reap() : interrupted(signal); });
    HeldSignals::let_through();
    loop_.post([this] {
        busy_ = true;
        carry_out(machine_.start(loop_.now()));
        busy_ = false;
        started_ = true;
        reap();
        look_.set(loop_.now() + kLookEvery);
    });
    loop_.run();
    outcome_->term = machine_.term();
    outcome_->dropped_peers = dropped_;
    return *outcome_;
}

void CoordinatorSession::received(ConnectionId connection, Message message) {
    Peer& peer = peers_[connection];
    peer.role == Role::kWorker ? hear_worker(connection, peer, std::move(message)) : hear_operator(connection, message);
}

void CoordinatorSession::hear_worker(ConnectionId connection, Peer& peer, Message message) {
    if (const auto* hello = std::get_if<Hello>(&message)) {
        if (peer.worker && *peer.worker != hello->worker) { return refuse(connection, "it changed its number"); }
        // A worker that comes back before its old connection is known to be broken: the new one counts, and the old one ends in silence.
        const auto [earlier, first] = connection_of_.try_emplace(hello->worker, connection);
        if (!first && earlier->second != connection) {
            peers_.erase(earlier->second);
            server_.close(std::exchange(earlier->second, connection));
        }
        peer.worker = hello->worker;
        return feed(WorkerConnected{*hello});
    }
    const bool known = is_one_of<Ready, Offer, Joined, Stepped, Stopped, Checkpointed, Heartbeat, Failed>(message);
    if (!known || !peer.worker) { return refuse(connection, "what it said is not for a worker to say"); }
    feed(WorkerSaid{.worker = *peer.worker, .message = std::move(message)});
}

void CoordinatorSession::hear_operator(ConnectionId connection, const Message& message) {
    if (!is_one_of<StatusRequest, ResizeRequest, StopRequest>(message)) {
        return refuse(connection, "what it said is not for an operator to say");
    }
    asker_of_[++last_request_] = connection;
    feed(OperatorAsked{.request = last_request_, .message = message});
}

void CoordinatorSession::closed(ConnectionId connection) {
    const auto peer = peers_.find(connection);
    if (peer == peers_.end()) { return; }
    const std::optional<WorkerNumber> worker = peer->second.worker;
    peers_.erase(peer);
    std::erase_if(asker_of_, [&](const auto& asker) { return asker.second == connection; });
    if (!worker) { return; }
    connection_of_.erase(*worker);
    feed(WorkerDisconnected{*worker});
}

void CoordinatorSession::refuse(ConnectionId connection, const char* why) {
    ++dropped_;
    detail(fmt::format("dropped a connection: {}", why));
    server_.close(connection);
    closed(connection);
}

void CoordinatorSession::reap() {
    for (const auto& [worker, how] : launcher_->reap()) {
        processes_.erase(worker);
        detail(fmt::format("the process of worker {} has ended: {}", worker, how));
        feed(WorkerExited{.worker = worker, .how = how});
    }
}

void CoordinatorSession::interrupted(int signal) {
    if (++interruptions_ == 1) {
        warn("stopping: a checkpoint is written first (once more to stop at once)");
        return feed(OperatorAsked{.request = 0, .message = StopRequest{fmt::format("signal {}", signal)}});
    }
    kill_processes();
    write_log();
    if (!outcome_) { outcome_ = RunOutcome{.succeeded = false, .reason = "stopped at once"}; }
    loop_.stop();
}

void CoordinatorSession::feed(CoordinatorInput input) {
    inputs_.push_back(std::move(input));
    if (std::exchange(busy_, true)) { return; }
    while (!inputs_.empty() && !outcome_) {
        const CoordinatorInput next = std::move(inputs_.front());
        inputs_.pop_front();
        carry_out(machine_.handle(next, loop_.now()));
    }
    busy_ = false;
}

void CoordinatorSession::carry_out(const std::vector<CoordinatorCommand>& commands) {
    for (const CoordinatorCommand& command : commands) {
        std::visit([this](const auto& what) { carry_out(what); }, command);
    }
}

void CoordinatorSession::carry_out(const AppendRecord& what) {
    const bool first = !wal_.pending();
    wal_.add(what.record);
    if (what.durable) {
        if (wal_.write(true)) { return; }
        if (!launched_) { throw Error(fmt::format("the run's log cannot be written: {}", wal_.problem())); }
        throw Error(
            fmt::format("the run's log can no longer be written: {}. Its workers train on for at most {} s without a coordinator; "
                        "make room and resume the run",
                        wal_.problem(), parts_.lease_s));
    }
    // One write for all that many workers say within a moment.
    if (first) { log_.set(loop_.now() + kLogDelay); }
}

void CoordinatorSession::write_log() {
    if (!wal_.pending()) { return; }
    if (wal_.write(false)) {
        disk_full_ = false;
    } else if (!std::exchange(disk_full_, true)) {
        warn("the run's log has a gap, since it cannot be written: " + wal_.problem());
    }
}

void CoordinatorSession::carry_out(const SendToWorker& what) {
    if (const auto found = connection_of_.find(what.worker); found != connection_of_.end()) { server_.send(found->second, what.message); }
}

void CoordinatorSession::carry_out(const LaunchWorker& what) {
    launched_ = true;
    try {
        launcher_->launch({.worker = what.worker, .device = what.place.device, .directory = parts_.options.directory});
        processes_.insert(what.worker);
    } catch (const Error& error) {
        warn(error.what());
        feed(WorkerExited{.worker = what.worker, .how = error.what()});
    }
}

void CoordinatorSession::carry_out(const KillWorker& what) {
    launcher_->kill(what.worker);
    const auto found = connection_of_.find(what.worker);
    if (found == connection_of_.end()) { return; }
    server_.close(found->second);
    peers_.erase(found->second);
    connection_of_.erase(found);
}

void CoordinatorSession::carry_out(const AnswerOperator& what) {
    const auto asker = asker_of_.find(what.request);
    if (asker == asker_of_.end()) { return; }
    server_.send(asker->second, what.message);
    asker_of_.erase(asker);
}

void CoordinatorSession::carry_out(const WakeAtTime& what) { wake_.set(what.time); }

void CoordinatorSession::carry_out(const Announce& what) {
    if (parts_.observer) { parts_.observer(what.record, static_cast<double>(loop_.now() - began_) / 1000.0); }
}

void CoordinatorSession::carry_out(const RunEnded& what) {
    outcome_ = RunOutcome{.succeeded = what.succeeded, .reason = what.reason};
    write_log();
    wake_.cancel();
    log_.cancel();
    server_.stop_accepting();
    for (const auto& peer : peers_) { server_.close(peer.first); }
    patience_ends_ = loop_.now() + parts_.options.timeouts.stop;
    end_.set(loop_.now());
}

void CoordinatorSession::kill_processes() {
    for (const WorkerNumber worker : processes_) { launcher_->kill(worker); }
}

// Workers that have been told to end are given time for it; then they are killed, so that none is left behind.
void CoordinatorSession::wait_for_end() {
    reap();
    if (processes_.empty() && server_.connections() == 0) { return loop_.stop(); }
    if (loop_.now() >= patience_ends_) {
        if (processes_.empty()) { return loop_.stop(); }
        detail(fmt::format("killing {} workers that do not end", processes_.size()));
        kill_processes();
        patience_ends_ = loop_.now() + kAfterKill;
    }
    end_.set(loop_.now() + kEndLookEvery);
}

void CoordinatorSession::warn(const std::string& line) const {
    if (parts_.options.warn) { parts_.options.warn(line); }
}

void CoordinatorSession::detail(const std::string& line) const {
    if (parts_.options.detail) { parts_.options.detail(line); }
}

}  // namespace medley::executor
