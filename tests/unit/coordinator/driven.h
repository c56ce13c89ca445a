#pragma once
/// A coordinator driven by hand: what it commanded is sorted into drawers, and workers' words are one call each.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "executor/coordinator/coordinator.h"

namespace medley::executor {

inline Place place(std::string gpu_type, std::vector<VirtualNode> nodes) {
    return {.device = "emulated", .gpu_type = std::move(gpu_type), .virtual_nodes = std::move(nodes)};
}

inline Placement two_places() { return {{place("a", {0, 1}), place("b", {2, 3})}}; }

inline CoordinatorOptions options_for(Placement placement, std::size_t virtual_nodes = 4) {
    CoordinatorOptions options;
    options.setup.job.name = "job";
    options.setup.job.steps = 10;
    options.setup.virtual_nodes.assign(virtual_nodes, 2);
    options.placement = std::move(placement);
    return options;
}

class Driven {
 public:
    explicit Driven(CoordinatorOptions options) : options_(options), coordinator_(std::move(options)) { take(coordinator_.start(0)); }
    Driven(CoordinatorOptions options, std::vector<Record> log, std::optional<CheckpointFound> checkpoint, Milliseconds time = 0)
        : options_(options),
          coordinator_(Coordinator::recover(std::move(options), log, std::move(checkpoint))),
          log_(std::move(log)),
          now_(time) {
        take(coordinator_.start(now_));
    }
    /// The same run after a crash: its log up to now, or up to what was durable.
    Driven restarted(std::optional<CheckpointFound> checkpoint = std::nullopt, bool only_durable = false) const {
        std::vector<Record> kept(log_.begin(), only_durable ? log_.begin() + static_cast<std::ptrdiff_t>(durable_) : log_.end());
        return Driven(options_, kept, std::move(checkpoint), now_ + 1);
    }

    // ---- workers
    void connect(WorkerNumber worker, WorkerState state = WorkerState::kFresh, Generation generation = 0, Step step = kNoState,
                 Term term = 0) {
        give(WorkerConnected{
            {.worker = worker, .term = term, .state = state, .generation = generation, .step = step, .process = 100 + worker}});
    }
    void says(WorkerNumber worker, Message message) { give(WorkerSaid{worker, std::move(message)}); }
    void ready(WorkerNumber worker) {
        connect(worker);
        says(worker, Ready{});
    }
    void joined(std::vector<WorkerNumber> workers, Generation generation, Step step = 0) {
        for (const WorkerNumber worker : workers) { says(worker, Joined{generation, step}); }
    }
    void stepped(WorkerNumber worker, Generation generation, Step step) { says(worker, Stepped{.generation = generation, .step = step}); }
    void stopped(WorkerNumber worker, Generation generation, Step step, StopCause cause) {
        says(worker, Stopped{.generation = generation, .step = step, .cause = cause, .digest = cause == StopCause::kFinished ? "d" : ""});
    }
    /// Two workers, ready, in generation 1 and training from the start on.
    void train() {
        ready(1);
        ready(2);
        joined({1, 2}, 1);
    }
    void exits(WorkerNumber worker) { give(WorkerExited{worker, "signal 9"}); }

    // ---- operators and time
    RequestReply asked(Message message) {
        give(OperatorAsked{1, std::move(message)});
        return std::get<RequestReply>(answers_.back());
    }
    /// Lets time pass; `heard` say something all the while.
    void pass(Milliseconds duration, const std::vector<WorkerNumber>& heard = {}) {
        for (const Milliseconds end = now_ + duration; now_ < end;) {
            now_ = std::min(end, now_ + 100);
            for (const WorkerNumber worker : heard) { says(worker, Heartbeat{}); }
            give(TimePassed{});
        }
    }
    void sleep(Milliseconds duration) { now_ += duration; }
    void give(const CoordinatorInput& input) { take(coordinator_.handle(input, now_)); }

    // ---- what was commanded
    template <class T>
    std::vector<T> told(WorkerNumber worker) const {
        std::vector<T> result;
        for (const auto& [to, message] : sent_) {
            if (const auto* known = std::get_if<T>(&message); known != nullptr && to == worker) { result.push_back(*known); }
        }
        return result;
    }
    template <class T>
    std::vector<T> logged() const {
        std::vector<T> result;
        for (const Record& record : log_) {
            if (const auto* known = std::get_if<T>(&record)) { result.push_back(*known); }
        }
        return result;
    }
    GenerationRecord generation() const { return logged<GenerationRecord>().back(); }
    const std::vector<LaunchWorker>& launched() const { return launched_; }
    bool killed(WorkerNumber worker) const { return std::find(killed_.begin(), killed_.end(), worker) != killed_.end(); }
    const std::optional<RunEnded>& ended() const { return ended_; }
    StatusReply status() const { return coordinator_.status(); }
    Term term() const { return coordinator_.term(); }
    void forget_sent() { sent_.clear(); }

 private:
    void take(std::vector<CoordinatorCommand> commands) {
        for (CoordinatorCommand& command : commands) {
            if (auto* append = std::get_if<AppendRecord>(&command)) {
                log_.push_back(append->record);
                if (append->durable) { durable_ = log_.size(); }
            }
            if (auto* send = std::get_if<SendToWorker>(&command)) { take(*send); }
            if (auto* launch = std::get_if<LaunchWorker>(&command)) { launched_.push_back(*launch); }
            if (auto* kill = std::get_if<KillWorker>(&command)) { killed_.push_back(kill->worker); }
            if (auto* answer = std::get_if<AnswerOperator>(&command)) { answers_.push_back(answer->message); }
            if (auto* over = std::get_if<RunEnded>(&command)) { ended_ = *over; }
        }
    }
    // Whatever a member hears of must be durable by then.
    void take(const SendToWorker& send) {
        if (const auto* form = std::get_if<Form>(&send.message)) {
            const auto same = [&](const Record& record) {
                const auto* generation = std::get_if<GenerationRecord>(&record);
                return generation != nullptr && generation->generation == form->generation;
            };
            EXPECT_TRUE(std::any_of(log_.begin(), log_.begin() + static_cast<std::ptrdiff_t>(durable_), same));
        }
        sent_.emplace_back(send.worker, send.message);
    }

    CoordinatorOptions options_;
    Coordinator coordinator_;
    std::vector<Record> log_;
    std::size_t durable_ = 0;
    std::vector<std::pair<WorkerNumber, Message>> sent_;
    std::vector<LaunchWorker> launched_;
    std::vector<WorkerNumber> killed_;
    std::vector<Message> answers_;
    std::optional<RunEnded> ended_;
    Milliseconds now_ = 0;
};

}  // namespace medley::executor
