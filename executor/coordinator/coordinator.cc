#include "executor/coordinator/coordinator.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "executor/coordinator/coordinator_impl.h"
#include "executor/coordinator/mapping.h"

namespace medley::executor {

Coordinator::Coordinator(CoordinatorOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Coordinator::Coordinator(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Coordinator::~Coordinator() = default;
Coordinator::Coordinator(Coordinator&&) noexcept = default;

Coordinator Coordinator::recover(CoordinatorOptions options, std::span<const Record> log, std::optional<CheckpointFound> checkpoint) {
    const History history = replay(log, options.planned);
    return Coordinator(std::make_unique<Impl>(std::move(options), history, std::move(checkpoint)));
}

std::vector<CoordinatorCommand> Coordinator::start(Milliseconds now) { return impl_->start(now); }
std::vector<CoordinatorCommand> Coordinator::handle(const CoordinatorInput& input, Milliseconds now) { return impl_->handle(input, now); }
Term Coordinator::term() const { return impl_->term(); }
bool Coordinator::ended() const { return impl_->ended(); }
StatusReply Coordinator::status() const { return impl_->status(); }

Coordinator::Impl::Impl(CoordinatorOptions options) : options_(std::move(options)) {
    MEDLEY_ASSERT(placement_problem(options_.placement, options_.setup.virtual_nodes.size()).empty());
}

Coordinator::Impl::Impl(CoordinatorOptions options, const History& history, std::optional<CheckpointFound> checkpoint)
    : Impl(std::move(options)) {
    term_ = history.term + 1;
    last_worker_ = history.last_worker;
    last_generation_ = history.last_generation;
    live_ = history.live;
    if (history.newest) { rank_zero_ = history.newest->members.front(); }
    roster_.workers = history.workers;
    if (history.target) { options_.placement = *history.target; }
    target_logged_ = history.target.has_value();
    planned_done_ = history.planned_done;
    step_ = history.step;
    loss_ = history.loss;
    checkpoint_ = std::move(checkpoint);
    finished_ = history.finished;
    recovering_ = !roster_.workers.empty();
}

std::vector<CoordinatorCommand> Coordinator::Impl::start(Milliseconds now) {
    now_ = now;
    log(TermRecord{term_}, target_logged_);
    if (!target_logged_) { log(TargetRecord{options_.placement}, true); }
    for (auto& [number, facts] : roster_.workers) { facts.back_by = now + options_.timeouts.recovery; }
    roster_.retarget(options_.placement, now);
    if (finished_) { begin_ending(true, "finished"); }
    advance();
    return std::exchange(commands_, {});
}

std::vector<CoordinatorCommand> Coordinator::Impl::handle(const CoordinatorInput& input, Milliseconds now) {
    if (ended_) { return {}; }
    now_ = now;
    forgive_sleep();
    const bool matters = std::visit([this](const auto& known) { return on(known); }, input);
    if (!ended_ && (matters || now_ >= wake_at_)) { advance(); }
    return std::exchange(commands_, {});
}

void Coordinator::Impl::log(Record record, bool durable) {
    emit(AppendRecord{record, durable});
    emit(Announce{std::move(record)});
}

// A wake-up so much too late means that this process was stopped: nobody else is to blame for the silence.
void Coordinator::Impl::forgive_sleep() {
    const Milliseconds grace = std::max<Milliseconds>(1, options_.timeouts.silence / 4);
    const Milliseconds slept = now_ - wake_at_ + grace;  // what was said meanwhile is yet to be heard
    if (slept < 2 * grace) { return; }
    roster_.put_off(slept);
    if (live_ && live_->deadline < kNever) { live_->deadline += slept; }
    if (saving_) { saving_->deadline += slept; }
    if (ending_) { ending_->deadline += slept; }
    wake_at_ = now_;
}

Milliseconds Coordinator::Impl::lease_every() const {
    return std::min(options_.timeouts.lease, static_cast<Milliseconds>(options_.setup.lease_s * 1000) / 3);
}

void Coordinator::Impl::set_wake() {
    Milliseconds wake = roster_.next_deadline();
    if (live_) { wake = std::min(wake, live_->deadline); }
    if (saving_) { wake = std::min(wake, saving_->deadline); }
    if (ending_) { wake = std::min(wake, ending_->deadline); }
    for (const auto& [worker, deadline] : leaving_) { wake = std::min(wake, deadline); }
    for (const Slot& slot : roster_.slots) {
        if (!slot.worker && !slot.given_up && wish_ == Wish::kTrain && !ending_) { wake = std::min(wake, slot.launch_at); }
    }
    wake_at_ = std::max(wake, now_ + 1);
    if (wake < kNever) { emit(WakeAtTime{wake_at_}); }
}

// ---- status

std::string Coordinator::Impl::phase_name() const {
    if (ended_) { return "ended"; }
    if (ending_) { return "ending"; }
    if (recovering_) { return "recovering"; }
    if (saving_) { return "saving"; }
    if (!live_) { return "starting"; }
    switch (live_->phase) {
        case GenerationPhase::kForming: return "forming";
        case GenerationPhase::kTraining: return "training";
        case GenerationPhase::kPausing: return "pausing";
        case GenerationPhase::kAborting: return "aborting";
    }
    return "";
}

namespace {

std::string worker_phase(const WorkerFacts& facts, bool in_generation) {
    if (facts.back_by < kNever) { return "away"; }
    if (!facts.ready) { return "starting"; }
    if (in_generation) { return "training"; }
    switch (facts.state) {
        case WorkerState::kFresh: return "ready";
        case WorkerState::kTraining: return "stopping";
        case WorkerState::kStopped: return "stopped";
        case WorkerState::kFinished: return "finished";
    }
    return "";
}

}  // namespace

StatusReply Coordinator::Impl::status() const {
    StatusReply reply{.job = options_.setup.job.name,
                      .phase = phase_name(),
                      .term = term_,
                      .generation = last_generation_,
                      .step = step_,
                      .steps = options_.setup.job.steps,
                      .loss = loss_,
                      .samples_per_s = samples_per_s_,
                      .virtual_nodes = options_.setup.virtual_nodes,
                      .workers = {}};
    for (const auto& [number, facts] : roster_.workers) {
        WorkerStatus worker{.worker = number,
                            .device = facts.place.device,
                            .gpu_type = facts.place.gpu_type,
                            .phase = worker_phase(facts, live_ && live_->holds(number)),
                            .process = facts.process,
                            .virtual_node_batches = {}};
        for (const VirtualNode node : facts.place.virtual_nodes) {
            if (node < options_.setup.virtual_nodes.size()) { worker.virtual_node_batches.push_back(options_.setup.virtual_nodes[node]); }
        }
        reply.workers.push_back(std::move(worker));
    }
    return reply;
}

}  // namespace medley::executor
