/// What the coordinator is told, and the facts that change by it.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "executor/coordinator/coordinator_impl.h"
#include "executor/coordinator/mapping.h"

namespace medley::executor {

// ---- connections

bool Coordinator::Impl::on(const WorkerConnected& input) {
    const Hello& hello = input.hello;
    if (hello.term > term_) {
        superseded(hello.term);
        return false;
    }
    WorkerFacts* facts = roster_.find(hello.worker);
    if (facts == nullptr) {
        emit(SendToWorker{hello.worker, Shutdown{.term = term_, .reason = "this worker was given up or released"}});
        return false;
    }
    facts->connected = true;
    facts->connect_by = facts->back_by = kNever;
    facts->silent_at = now_ + options_.timeouts.silence;
    facts->owes_stop_by = kNever;
    facts->state = hello.state;
    facts->generation = hello.generation;
    facts->step = hello.state == WorkerState::kFresh ? kNoState : hello.step;
    facts->process = hello.process;
    facts->host = hello.host;
    if (!facts->ready && facts->launch_by == kNever) { facts->launch_by = now_ + options_.timeouts.launch; }
    facts->lease_due = now_ + lease_every();
    send(hello.worker, Welcome{term_, options_.setup, facts->place});
    catch_up(hello.worker, *facts, hello);
    return true;
}

// What it missed while it had no connection. What we missed, it says itself.
void Coordinator::Impl::catch_up(WorkerNumber worker, WorkerFacts& facts, const Hello& hello) {
    if (ending_) { return send(worker, Shutdown{.term = term_, .reason = ending_->reason}); }
    if (saving_ && saving_->worker == worker) { return send(worker, Shutdown{.term = term_, .reason = wish_reason_, .checkpoint = true}); }
    if (live_ && live_->holds(worker)) { return catch_up_member(worker, facts, hello); }
    if (hello.state == WorkerState::kTraining) { call_back(worker, facts, hello.generation); }
    if (hello.state == WorkerState::kFinished) { facts.owes_stop_by = stop_by(); }
}

// Out of a generation that is not the live one.
void Coordinator::Impl::call_back(WorkerNumber worker, WorkerFacts& facts, Generation generation) {
    send(worker, Abort{term_, generation});
    facts.owes_stop_by = stop_by();
}

void Coordinator::Impl::catch_up_member(WorkerNumber worker, WorkerFacts& facts, const Hello& hello) {
    const GenerationPhase phase = live_->phase;
    if (hello.generation != live_->record.generation) {
        const bool elsewhere = hello.state == WorkerState::kTraining;
        if (phase == GenerationPhase::kForming && !elsewhere) { return send(worker, live_->form(term_)); }
        // Its Form was lost with the earlier connection: it never entered, and holds what it held.
        live_->stop(worker, StopCause::kBroken);
        if (elsewhere) { call_back(worker, facts, hello.generation); }
        return;
    }
    if (hello.state != WorkerState::kTraining) {
        facts.owes_stop_by = stop_by();
    } else if (phase == GenerationPhase::kPausing && live_->pause_asked) {
        send(worker, Pause{term_, hello.generation});
    } else if (phase == GenerationPhase::kAborting) {
        send(worker, Abort{term_, hello.generation});
    }
}

bool Coordinator::Impl::on(const WorkerDisconnected& input) {
    WorkerFacts* facts = roster_.find(input.worker);
    if (facts == nullptr || !facts->connected) { return false; }
    facts->connected = false;
    facts->silent_at = kNever;
    facts->back_by = now_ + options_.timeouts.reconnect;
    return true;
}

bool Coordinator::Impl::on(const WorkerExited& input) {
    leaving_.erase(input.worker);
    if (roster_.find(input.worker) == nullptr) { return false; }
    lose(input.worker, "its process ended: " + input.how);
    return true;
}

// ---- workers' words

bool Coordinator::Impl::on(const WorkerSaid& input) {
    WorkerFacts* facts = roster_.find(input.worker);
    if (facts == nullptr) {
        emit(SendToWorker{input.worker, Shutdown{.term = term_, .reason = "this worker was given up or released"}});
        return false;
    }
    if (!facts->connected) { return false; }
    facts->silent_at = now_ + options_.timeouts.silence;
    renew_lease(input.worker, *facts);
    return std::visit([&](const auto& known) { return hear(input.worker, *facts, known); }, input.message);
}

// Not each word is worth an answer: with a hundred workers that would be half of all that is sent.
void Coordinator::Impl::renew_lease(WorkerNumber worker, WorkerFacts& facts) {
    if (now_ < facts.lease_due) { return; }
    facts.lease_due = now_ + lease_every();
    send(worker, Lease{term_});
}

bool Coordinator::Impl::hear(WorkerNumber worker, WorkerFacts& facts, const Ready& ready) {
    if (facts.ready) { return false; }
    facts.ready = true;
    facts.launch_by = kNever;
    log(ReadyRecord{.worker = worker, .process = facts.process, .host = facts.host, .device_name = ready.device_name});
    return true;
}

bool Coordinator::Impl::hear(WorkerNumber worker, WorkerFacts&, const Offer& offer) {
    if (!live_ || live_->record.generation != offer.generation) { return false; }
    const auto exchange = live_->exchange(worker, offer);
    if (!exchange) { return false; }
    if (!exchange->fresh) {
        send(worker, exchange->offers);
        return false;
    }
    for (const WorkerNumber member : live_->still_in()) { send(member, exchange->offers); }
    return false;
}

bool Coordinator::Impl::hear(WorkerNumber worker, WorkerFacts& facts, const Joined& joined) {
    if (!live_ || live_->record.generation != joined.generation || !live_->holds(worker)) { return false; }
    live_->join(worker);
    facts.state = WorkerState::kTraining;
    facts.generation = joined.generation;
    facts.step = std::max(facts.step, joined.step);
    return live_->phase == GenerationPhase::kForming;
}

bool Coordinator::Impl::hear(WorkerNumber worker, WorkerFacts& facts, const Stepped& stepped) {
    const bool current = live_ && live_->record.generation == stepped.generation && stepped.step > live_->record.step;
    if (!current || (facts.generation == stepped.generation && facts.step >= stepped.step)) { return false; }
    // A step takes all members: nobody is on the way in any more.
    if (live_->phase == GenerationPhase::kForming) { begin_training(); }
    facts.step = stepped.step;
    facts.generation = stepped.generation;
    note_progress();
    log(SteppedRecord{worker, stepped});
    if (stepped.step <= step_) { return false; }
    step_ = stepped.step;
    loss_ = stepped.loss;
    const double seconds = stepped.times.compute_s + stepped.times.collective_s + stepped.times.update_s + stepped.times.other_s;
    if (std::isfinite(seconds) && seconds > 0 && seconds < 1e6) {
        const auto& batches = options_.setup.virtual_nodes;
        step_time_ = static_cast<Milliseconds>(seconds * 1000);
        samples_per_s_ = static_cast<double>(std::accumulate(batches.begin(), batches.end(), std::int64_t{0})) / seconds;
    }
    return planned_done_ < options_.planned.size() && step_ >= options_.planned[planned_done_].first;
}

// A step takes all members: none of their places is to blame for what was before.
void Coordinator::Impl::note_progress() {
    if (std::exchange(live_->stepped, true)) { return; }
    for (const WorkerNumber member : live_->record.members) {
        const WorkerFacts* facts = roster_.find(member);
        if (facts != nullptr && facts->slot) { roster_.slots[*facts->slot].failures = 0; }
    }
}

bool Coordinator::Impl::hear(WorkerNumber worker, WorkerFacts& facts, const Stopped& stopped) {
    if (stopped.generation < facts.generation) { return false; }
    last_generation_ = std::max(last_generation_, stopped.generation);
    const bool holds_state = stopped.step >= 0;
    facts.generation = stopped.generation;
    facts.step = holds_state ? stopped.step : kNoState;
    facts.owes_stop_by = kNever;
    facts.stopped = stopped;
    facts.state = !holds_state                            ? WorkerState::kFresh
                  : stopped.cause == StopCause::kFinished ? WorkerState::kFinished
                                                          : WorkerState::kStopped;
    if (facts.state == WorkerState::kFinished && worker == rank_zero_) { final_saved_ = true; }
    if (live_ && live_->record.generation == stopped.generation) {
        live_->stop(worker, stopped.cause);
        if (stopped.step > live_->record.step) { note_progress(); }
    }
    return true;
}

bool Coordinator::Impl::hear(WorkerNumber worker, WorkerFacts& facts, const Checkpointed& checkpointed) {
    const bool repeated = facts.checkpointed && facts.checkpointed->step == checkpointed.step &&
                          facts.checkpointed->file == checkpointed.file && facts.checkpointed->error == checkpointed.error;
    const bool good = checkpointed.error.empty();
    const bool awaited = saving_ && saving_->worker == worker && (!good || checkpointed.step == facts.step);
    if (!repeated) {
        facts.checkpointed = checkpointed;
        log(CheckpointRecord{worker, checkpointed}, good);
    }
    if (good && (!checkpoint_ || checkpointed.step >= checkpoint_->step)) { checkpoint_ = {checkpointed.step, checkpointed.file}; }
    if (good && checkpointed.step >= options_.setup.job.steps) { final_saved_ = true; }
    if (!awaited) { return false; }
    save_settled_ = true;
    save_error_ = checkpointed.error;
    saving_.reset();
    return true;
}

bool Coordinator::Impl::hear(WorkerNumber worker, WorkerFacts&, const Failed& failed) {
    lose(worker, failed.reason);
    return true;
}

// ---- operators

bool Coordinator::Impl::on(const OperatorAsked& input) {
    if (std::holds_alternative<StatusRequest>(input.message)) {
        emit(AnswerOperator{input.request, status()});
        return false;
    }
    RequestReply reply{.accepted = false, .message = "not a request"};
    if (const auto* resize = std::get_if<ResizeRequest>(&input.message)) { reply = answer(*resize); }
    if (const auto* stop = std::get_if<StopRequest>(&input.message)) { reply = answer(*stop); }
    emit(AnswerOperator{input.request, reply});
    return true;
}

std::string Coordinator::Impl::refusal_of(const Placement& placement) const {
    if (std::string problem = placement_problem(placement, options_.setup.virtual_nodes.size()); !problem.empty()) { return problem; }
    if (wish_ != Wish::kTrain || ending_) { return "the run is ending"; }
    return {};
}

RequestReply Coordinator::Impl::answer(const ResizeRequest& request) {
    if (std::string refusal = refusal_of(request.placement); !refusal.empty()) { return {.accepted = false, .message = refusal}; }
    retarget(request.placement);
    return {.accepted = true, .message = fmt::format("from step {} on", step_)};
}

RequestReply Coordinator::Impl::answer(const StopRequest& request) {
    if (wish_ != Wish::kTrain || ending_) { return {.accepted = true, .message = "the run is ending already"}; }
    wish_ = Wish::kStop;
    wish_reason_ = request.reason.empty() ? "stopped" : request.reason;
    return {.accepted = true, .message = "a checkpoint is written first"};
}

}  // namespace medley::executor
