/// What follows from the facts while a run goes on: deadlines, launches, and the life of generations.

#include <algorithm>
#include <map>

#include "executor/coordinator/coordinator_impl.h"

namespace medley::executor {

void Coordinator::Impl::advance() {
    expire();
    expire_saving();
    if (recovering_ && !still_recovering()) { finish_recovery(); }
    if (!recovering_ && !ending_) {
        apply_planned();
        launch_due();
        if (live_) { advance_live(); }
        if (!live_) { advance_at_rest(); }
    }
    if (ending_) { advance_ending(); }
    if (!ended_) { set_wake(); }
}

// ---- deadlines and losses

void Coordinator::Impl::expire() {
    std::vector<std::pair<WorkerNumber, const char*>> late;
    for (const auto& [number, facts] : roster_.workers) {
        const char* reason = facts.connect_by <= now_     ? "it did not connect in time"
                             : facts.launch_by <= now_    ? "it did not become ready in time"
                             : facts.back_by <= now_      ? "its connection was lost"
                             : facts.silent_at <= now_    ? "it fell silent"
                             : facts.owes_stop_by <= now_ ? "it did not stop in time"
                                                          : nullptr;
        if (reason != nullptr) { late.emplace_back(number, reason); }
    }
    for (const auto& [number, reason] : late) { lose(number, reason); }
    for (auto leaver = leaving_.begin(); leaver != leaving_.end();) {
        if (leaver->second > now_) {
            ++leaver;
            continue;
        }
        emit(KillWorker{leaver->first});
        leaver = leaving_.erase(leaver);
    }
}

void Coordinator::Impl::lose(WorkerNumber worker, const std::string& reason) {
    log(LostRecord{.worker = worker, .step = step_, .reason = ending_ ? "the run ended" : reason, .orderly = ending_.has_value()});
    emit(KillWorker{worker});
    if (live_) { live_->lose(worker); }
    if (saving_ && saving_->worker == worker) { saving_.reset(); }
    if (Slot* slot = roster_.remove(worker)) { blame(*slot); }
}

// A coordinator that was away cannot tell whether the place is to blame.
void Coordinator::Impl::blame(Slot& slot) {
    if (recovering_) {
        slot.launch_at = now_;
        return;
    }
    ++slot.failures;
    slot.given_up = slot.failures > options_.timeouts.relaunches;
    slot.launch_at = now_ + (options_.timeouts.relaunch << std::min(slot.failures - 1, 16));
}

void Coordinator::Impl::release(WorkerNumber worker) {
    log(LostRecord{.worker = worker, .step = step_, .reason = "released", .orderly = true});
    if (roster_.find(worker)->connected) {
        send(worker, Shutdown{.term = term_, .reason = "released"});
        leaving_[worker] = now_ + options_.timeouts.stop;
    } else {
        emit(KillWorker{worker});
    }
    roster_.remove(worker);
}

bool Coordinator::Impl::still_recovering() const {
    return std::any_of(roster_.workers.begin(), roster_.workers.end(), [](const auto& entry) { return !entry.second.connected; });
}

void Coordinator::Impl::finish_recovery() {
    recovering_ = false;
    if (live_ && live_->phase == GenerationPhase::kForming) { live_->deadline = now_ + options_.timeouts.form; }
}

// ---- the wanted placement

void Coordinator::Impl::retarget(const Placement& placement) {
    log(TargetRecord{placement}, true);
    roster_.retarget(placement, now_);
    std::vector<WorkerNumber> unneeded;
    for (const auto& [number, facts] : roster_.workers) {
        const bool holds_state = facts.step != kNoState || facts.state == WorkerState::kTraining;
        if (!facts.slot && !holds_state && !(live_ && live_->holds(number))) { unneeded.push_back(number); }
    }
    for (const WorkerNumber worker : unneeded) { release(worker); }
}

void Coordinator::Impl::apply_planned() {
    while (planned_done_ < options_.planned.size() && step_ >= options_.planned[planned_done_].first && wish_ == Wish::kTrain) {
        const Placement& placement = options_.planned[planned_done_++].second;
        if (refusal_of(placement).empty()) { retarget(placement); }
    }
}

// Numbers are in the log before their processes exist, so that none is ever given twice.
void Coordinator::Impl::launch_due() {
    if (wish_ != Wish::kTrain) { return; }
    std::vector<std::size_t> due;
    for (std::size_t index = 0; index < roster_.slots.size(); ++index) {
        const Slot& slot = roster_.slots[index];
        if (!slot.worker && !slot.given_up && slot.launch_at <= now_) { due.push_back(index); }
    }
    for (const std::size_t index : due) {
        Slot& slot = roster_.slots[index];
        slot.worker = ++last_worker_;
        WorkerFacts& facts = roster_.workers[last_worker_];
        facts.place = slot.place;
        facts.slot = index;
        facts.connect_by = now_ + options_.timeouts.connect;
        facts.launch_by = now_ + options_.timeouts.launch;
        log(LaunchedRecord{last_worker_, slot.place}, index == due.back());
    }
    for (const std::size_t index : due) { emit(LaunchWorker{*roster_.slots[index].worker, roster_.slots[index].place}); }
}

// ---- a live generation

void Coordinator::Impl::advance_live() {
    if (live_->phase == GenerationPhase::kForming) { advance_forming(); }
    if (live_->phase == GenerationPhase::kTraining) { advance_training(); }
    if (live_->phase == GenerationPhase::kPausing) { advance_pausing(); }
    if (live_->phase == GenerationPhase::kAborting) { advance_aborting(); }
    if (live_->over()) { rest(); }
}

void Coordinator::Impl::advance_forming() {
    if (live_->any_lost() || live_->any_stopped() || wish_ != Wish::kTrain) { return abort(); }
    if (live_->all_joined()) { return begin_training(); }
    if (now_ < live_->deadline) { return; }
    for (const WorkerNumber worker : live_->laggards()) { lose(worker, "it kept the others waiting while a generation formed"); }
    abort();
}

void Coordinator::Impl::begin_training() {
    live_->join_all();
    live_->phase = GenerationPhase::kTraining;
    live_->deadline = kNever;
    step_ = live_->record.step;
    log(JoinedRecord{live_->record.generation, live_->record.step});
}

void Coordinator::Impl::advance_training() {
    if (live_->any_lost() || live_->any_stopped(StopCause::kBroken)) { return abort(); }
    if (live_->any_stopped(StopCause::kPaused) || wish_ != Wish::kTrain) { return pause(); }
    if (live_->any_stopped(StopCause::kFinished)) {
        live_->phase = GenerationPhase::kPausing;
        live_->deadline = stop_by();
    } else if (change_is_due()) {
        pause();
    }
}

void Coordinator::Impl::advance_pausing() {
    if (live_->any_lost() || live_->any_stopped(StopCause::kBroken) || now_ >= live_->deadline) { abort(); }
}

void Coordinator::Impl::advance_aborting() {
    if (now_ < live_->deadline) { return; }
    for (const WorkerNumber worker : live_->still_in()) { lose(worker, "it did not stop in time"); }
}

void Coordinator::Impl::pause() {
    live_->phase = GenerationPhase::kPausing;
    live_->pause_asked = true;
    live_->deadline = stop_by();
    for (const WorkerNumber worker : live_->still_in()) { send(worker, Pause{term_, live_->record.generation}); }
}

void Coordinator::Impl::abort() {
    live_->phase = GenerationPhase::kAborting;
    live_->deadline = stop_by();
    for (const WorkerNumber worker : live_->still_in()) { send(worker, Abort{term_, live_->record.generation}); }
}

void Coordinator::Impl::rest() {
    const bool fruitless = !live_->stepped && !live_->pause_asked && !live_->any_lost();
    if (live_->stepped) { fruitless_ = 0; }
    fruitless_ += fruitless ? 1 : 0;
    const Step best = roster_.best_step();
    log(RestRecord{live_->record.generation, best == kNoState ? step_ : best});
    live_.reset();
    if (fruitless_ >= options_.timeouts.formations) { fail("generations break again and again before a step is done"); }
}

bool Coordinator::Impl::differs(const Arrangement& arrangement) const {
    const GenerationRecord& now = live_->record;
    if (arrangement.members.size() != now.members.size()) { return true; }
    for (std::size_t rank = 0; rank < arrangement.members.size(); ++rank) {
        const auto there = live_->rank_of(arrangement.members[rank]);
        if (!there) { return true; }
        const bool same_nodes = arrangement.placement.places[rank].virtual_nodes == now.placement.places[*there].virtual_nodes;
        if (arrangement.as_wanted && !same_nodes) { return true; }
    }
    return false;
}

bool Coordinator::Impl::change_is_due() const {
    if (roster_.expects_more()) { return false; }
    const auto arrangement = arrange(roster_, live_->record.members, options_.setup.virtual_nodes, options_.rebalance);
    return arrangement && differs(*arrangement);
}

// ---- at rest

void Coordinator::Impl::advance_at_rest() {
    if (roster_.anyone_owes_stop()) { return; }
    if (const auto finished = finished_worker()) { return advance_finish(*finished); }
    if (wish_ == Wish::kTrain) { form(); }
    if (wish_ != Wish::kTrain && !live_) { advance_stop(); }
}

std::vector<WorkerNumber> Coordinator::Impl::holders() const {
    const Step best = roster_.best_step();
    std::vector<WorkerNumber> workers;
    if (best == kNoState) { return workers; }
    for (const auto& [number, facts] : roster_.workers) {
        if (facts.ready && facts.step == best && facts.state != WorkerState::kTraining) { workers.push_back(number); }
    }
    return workers;
}

void Coordinator::Impl::form() {
    auto arrangement = arrange(roster_, holders(), options_.setup.virtual_nodes, options_.rebalance);
    if (arrangement) { return begin_generation(std::move(*arrangement)); }
    if (!roster_.may_grow()) { fail("no device is left to run on"); }
}

void Coordinator::Impl::begin_generation(Arrangement arrangement) {
    const bool from_checkpoint = !arrangement.source && checkpoint_;
    GenerationRecord record{.generation = ++last_generation_,
                            .members = std::move(arrangement.members),
                            .placement = std::move(arrangement.placement),
                            .step = arrangement.source ? roster_.best_step()
                                    : from_checkpoint  ? checkpoint_->step
                                                       : 0,
                            .checkpoint = from_checkpoint ? checkpoint_->file : std::string(),
                            .source = arrangement.source.value_or(0),
                            .from_start = !arrangement.source && !from_checkpoint};
    log(record, true);
    for (std::size_t rank = 0; rank < record.members.size(); ++rank) {
        WorkerFacts& facts = *roster_.find(record.members[rank]);
        facts.place.virtual_nodes = record.placement.places[rank].virtual_nodes;
    }
    rank_zero_ = record.members.front();
    save_settled_ = final_saved_ = false;
    live_.emplace(std::move(record), GenerationPhase::kForming);
    live_->deadline = now_ + options_.timeouts.form;
    for (const WorkerNumber worker : live_->record.members) { send(worker, live_->form(term_)); }
    release_leftovers();
}

void Coordinator::Impl::release_leftovers() {
    if (roster_.expects_more()) { return; }
    std::vector<WorkerNumber> leftovers;
    for (const auto& [number, facts] : roster_.workers) {
        if (!facts.slot && !live_->holds(number)) { leftovers.push_back(number); }
    }
    for (const WorkerNumber worker : leftovers) { release(worker); }
}

}  // namespace medley::executor
