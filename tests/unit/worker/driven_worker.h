#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "executor/worker/worker.h"

namespace medley::executor::test {

/// A worker driven by hand; what it commanded since the last call of `take`.
class Driven {
 public:
    explicit Driven(WorkerOptions options = {.worker = 7, .process = 70}) : worker_(options) { add(worker_.start(0)); }

    void give(const WorkerInput& input) { add(worker_.handle(input, now_)); }
    void hears(Message message) { give(CoordinatorSaid{std::move(message)}); }
    void pass(Milliseconds duration) {
        for (const Milliseconds end = now_ + duration; now_ < end;) {
            now_ = std::min(end, now_ + 100);
            give(ClockTicked{});
        }
    }
    void sleep(Milliseconds duration) { now_ += duration; }

    void welcome(Term term = 1) {
        RunSetup setup;
        setup.lease_s = 20;
        give(Connected{});
        hears(Welcome{.term = term, .setup = setup, .place = {}});
    }
    void prepare() {
        welcome();
        give(EngineBuilt{"cpu", 100});
        commands_.clear();
    }
    static Form form(Generation generation, Step step = 0, Term term = 1) {
        return {.term = term,
                .generation = generation,
                .members = {3, 7},
                .placement = {{Place{}, Place{}}},
                .step = step,
                .source = 0,
                .from_start = step == 0};
    }
    void train() {
        prepare();
        hears(form(1));
        give(TrainerJoined{1, 0});
        give(TrainerStepped{{.generation = 1, .step = 4}});
        commands_.clear();
    }
    void trainer_stops(Step step, StopCause cause = StopCause::kPaused, Generation generation = 1) {
        give(TrainerStopped{{.generation = generation, .step = step, .cause = cause}});
    }

    /// All commands of a kind so far.
    template <class T>
    std::vector<T> commands() const {
        std::vector<T> result;
        for (const WorkerCommand& command : commands_) {
            if (const auto* known = std::get_if<T>(&command)) { result.push_back(*known); }
        }
        return result;
    }
    template <class T>
    std::vector<T> said() const {
        std::vector<T> result;
        for (const SendToCoordinator& sent : commands<SendToCoordinator>()) {
            if (const auto* known = std::get_if<T>(&sent.message)) { result.push_back(*known); }
        }
        return result;
    }
    std::optional<int> exit_code() const {
        const auto exits = commands<ExitProcess>();
        return exits.empty() ? std::nullopt : std::optional<int>(exits.front().code);
    }
    void forget() { commands_.clear(); }
    Milliseconds now() const { return now_; }

 private:
    void add(std::vector<WorkerCommand> commands) {
        for (WorkerCommand& command : commands) { commands_.push_back(std::move(command)); }
    }

    Worker worker_;
    std::vector<WorkerCommand> commands_;
    Milliseconds now_ = 0;
};

}  // namespace medley::executor::test
