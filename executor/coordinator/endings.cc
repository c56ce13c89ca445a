/// How a run ends: finished, stopped by its operator, or failed. The state is saved first, then every worker is told to end and seen off.

#include <algorithm>

#include "executor/coordinator/coordinator_impl.h"

namespace medley::executor {

std::optional<WorkerNumber> Coordinator::Impl::finished_worker() const {
    for (const auto& [number, facts] : roster_.workers) {
        if (facts.state == WorkerState::kFinished && facts.stopped) { return number; }
    }
    return std::nullopt;
}

// The first rank writes the final checkpoint before it says that it has finished; if it was lost, another one must.
void Coordinator::Impl::advance_finish(WorkerNumber finished) {
    const bool saved = final_saved_ || save_settled_ || options_.setup.mode == Mode::kInference;
    if (!saved) { return ask_to_save(finished); }
    const Stopped& stopped = *roster_.find(finished)->stopped;
    finished_ = FinishedRecord{.step = stopped.step, .digest = stopped.digest, .final_loss = stopped.final_loss};
    log(*finished_, true);
    begin_ending(true, save_error_.empty() ? "finished" : "finished, but the last checkpoint failed: " + save_error_);
}

void Coordinator::Impl::advance_stop() {
    const std::vector<WorkerNumber> savers = holders();
    if (!savers.empty() && !save_settled_ && options_.setup.mode == Mode::kTrain) { return ask_to_save(savers.front()); }
    const bool by_user = wish_ == Wish::kStop;
    std::string reason = wish_reason_;
    if (!save_error_.empty()) { reason += "; the checkpoint failed: " + save_error_; }
    if (by_user) { log(StoppedByUserRecord{.step = savers.empty() ? step_ : roster_.best_step(), .reason = reason}, true); }
    begin_ending(by_user, std::move(reason));
}

void Coordinator::Impl::ask_to_save(WorkerNumber worker) {
    if (saving_) { return; }
    saving_ = Saving{.worker = worker, .deadline = now_ + options_.timeouts.checkpoint};
    send(worker, Shutdown{.term = term_, .reason = wish_reason_, .checkpoint = true});
}

void Coordinator::Impl::expire_saving() {
    if (!saving_ || now_ < saving_->deadline) { return; }
    saving_.reset();
    save_settled_ = true;
    save_error_ = "it took too long";
}

void Coordinator::Impl::fail(std::string reason) {
    wish_ = Wish::kFail;
    wish_reason_ = std::move(reason);
}

void Coordinator::Impl::begin_ending(bool succeeded, std::string reason) {
    ending_ = Ending{.succeeded = succeeded, .reason = std::move(reason), .deadline = now_ + options_.timeouts.stop};
    if (recovering_) { ending_->deadline += options_.timeouts.recovery; }
    live_.reset();
    std::vector<WorkerNumber> never_seen;
    for (const auto& [number, facts] : roster_.workers) {
        if (!facts.connected && facts.back_by == kNever) { never_seen.push_back(number); }
        send(number, Shutdown{.term = term_, .reason = ending_->reason});
    }
    for (const WorkerNumber worker : never_seen) { lose(worker, {}); }
}

void Coordinator::Impl::advance_ending() {
    if (now_ >= ending_->deadline) {
        while (!roster_.workers.empty()) { lose(roster_.workers.begin()->first, {}); }
    }
    if (!roster_.workers.empty()) { return; }
    for (const auto& [worker, deadline] : leaving_) { emit(KillWorker{worker}); }
    ended_ = true;
    emit(RunEnded{ending_->succeeded, ending_->reason});
}

void Coordinator::Impl::superseded(Term term) {
    ended_ = true;
    emit(RunEnded{false, "a coordinator of a later term (" + std::to_string(term) + ") has taken over"});
}

}  // namespace medley::executor
