#include "sched/scheduler.h"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "sched/dependencies.h"
#include "sched/scheduler_state.h"
#include "sched/transitions.h"

namespace medley {

/// The machinery in four parts: events come in (`on`), the policy is asked (`ask`), its decision becomes targets (`apply`), targets
/// become steps (`pursue`).
class Scheduler::Impl {
 public:
    Impl(const Cluster& cluster, const std::vector<Job>& jobs, const CostModel& believed, Policy& policy, EventSink& log,
         SchedulerOptions options)
        : options_(std::move(options)),
          round_(to_sim_time(options_.round)),
          policy_(policy),
          log_(log),
          state_(cluster, jobs, believed, policy.traits().information, options_.costs),
          dependencies_(jobs) {
        write_header();
    }

    std::span<const Action> handle(std::span<const Event> events, SimTime now);
    void finish(SimTime now) { log_.record(EndRecord{.time = now, .events = events_, .decisions = decisions_}); }

    const SchedulerState& state() const { return state_; }
    std::uint64_t decisions() const { return decisions_; }
    std::size_t unfinished() const { return state_.present_count() + dependencies_.held_back(); }

 private:
    void write_header();

    void on(const JobSubmitted& event);
    void on(const JobRunning& event);
    void on(const JobProgress& event);
    void on(const JobStopped& event);
    void on(const JobFinished& event) { end_job(event.job, event.work_done, false); }
    void on(const JobCancelled& event) { end_job(event.job, event.work_done, true); }
    void on(const CapacityChanged& event);
    void on(const TimerFired&) {}
    void write_submit(JobId id, bool held_back);
    void reject(JobId id, const char* reason);
    void end_job(JobId id, double work_done, bool cancelled);
    void release_dependents(JobId ended);
    void transition_over(JobId id);
    void evict_for(GpuTypeId type);
    void lose(JobId id);

    bool asking_is_due() const;
    void ask();
    void take(const Decision& decision);
    void explain(const Decision& decision);
    void apply(const Change& change);
    bool still_fits(const Change& change) const;

    void enlist(JobId id);
    void pursue(JobId id);
    void pursue_pending();
    void start(JobId id);
    void resize(JobId id, const Allocation& to);
    void stop(JobId id, StopReason reason);
    void set_wake_up();

    SchedulerOptions options_;
    SimTime round_;
    Policy& policy_;
    EventSink& log_;
    SchedulerState state_;
    Dependencies dependencies_;

    SimTime now_{0};
    std::vector<Action> actions_;
    std::vector<JobId> pending_;  ///< unfinished transitions, in the order in which they were decided
    std::vector<JobId> pursuing_;
    bool news_ = false;  ///< something the policy should hear of
    SimTime asked_in_round_{-1};
    SimTime ask_again_ = kNever;
    SimTime wake_at_ = kNever;
    std::optional<std::pair<SimTime, Decision>> deferred_;  ///< by the policy's latency
    std::unordered_map<JobId, std::string> reasons_;        ///< last given, of jobs present
    std::uint64_t events_ = 0;
    std::uint64_t decisions_ = 0;
};

void Scheduler::Impl::write_header() {
    const PolicyTraits& traits = policy_.traits();
    HeaderRecord header{.policy = traits.name,
                        .policy_options = traits.options,
                        .information = traits.information,
                        .seed = options_.seed,
                        .round = options_.round,
                        .compat = options_.compat,
                        .cluster = state_.cluster().name,
                        .gpu_types = {}};
    for (std::size_t index = 0; index < state_.cluster().gpu_types.size(); ++index) {
        const GpuType& type = state_.cluster().gpu_types[index];
        header.gpu_types.push_back({.name = type.name,
                                    .gpus = state_.nominal_capacity(GpuTypeId(index)),
                                    .price_usd_per_hour = type.price_usd_per_hour,
                                    .power_w = type.power_w});
    }
    log_.record(header);
}

std::span<const Action> Scheduler::Impl::handle(std::span<const Event> events, SimTime now) {
    MEDLEY_ASSERT(now >= now_);
    now_ = now;
    actions_.clear();
    for (const Event& event : events) {
        ++events_;
        std::visit([this](const auto& known) { on(known); }, event);
    }
    pursue_pending();
    if (deferred_ && deferred_->first <= now_) {
        const Decision decision = std::move(deferred_->second);
        deferred_.reset();
        take(decision);
    }
    if (asking_is_due()) { ask(); }
    set_wake_up();
    return actions_;
}

// ---- Events -------------------------------------------------------------------------------------------------------------------

void Scheduler::Impl::on(const JobSubmitted& event) {
    state_.admit(event.job);
    const auto done = [this](JobId id) { return id.index() < state_.admitted() && state_.record(id).phase == JobPhase::kDone; };
    const bool free = dependencies_.submit(event.job, done);
    write_submit(event.job, !free);
    if (state_.kind(event.job).runnable == 0) { return reject(event.job, "no allowed GPU type can hold or run it"); }
    if (dependencies_.hopeless(event.job)) { return reject(event.job, "depends on a job that was rejected"); }
    if (!free) { return; }
    state_.enter(event.job);
    news_ = true;
}

// What depends on it can never run either.
void Scheduler::Impl::reject(JobId id, const char* reason) {
    log_.record(RejectRecord{.time = now_, .job = id, .reason = reason});
    state_.depart(id);
    for (const JobId dependent : dependencies_.reject(id)) { reject(dependent, "depends on a job that was rejected"); }
}

void Scheduler::Impl::write_submit(JobId id, bool held_back) {
    const Job& job = state_.job(id);
    const JobKind& kind = state_.kind(id);
    const double work = total_work(job);
    const auto alone_at = [&](double speed) { return speed > 0 ? options_.costs.startup + Seconds{work / speed} : Seconds{0}; };
    log_.record(SubmitRecord{.time = now_,
                             .job = id,
                             .id = job.id,
                             .model = job.model,
                             .gpus = job.gpus,
                             .min_gpus = job.min_gpus,
                             .allowed = kind.runnable,
                             .priority = job.priority,
                             .weight = job.weight,
                             .deadline = job.deadline,
                             .total_work = work,
                             .alone = alone_at(kind.best_speed),
                             .isolated = alone_at(kind.mean_speed),
                             .nominal_gpus = kind.nominal_gpus,
                             .held_back = held_back});
}

void Scheduler::Impl::on(const JobRunning& event) {
    JobRecord& job = state_.record(event.job);
    if (job.held.empty() || job.phase == JobPhase::kStopping) { return; }  // overtaken by a stop
    state_.set_progress(event.job, event.work_done, event.work_per_s, now_);
    log_.record(RunRecord{.time = now_,
                          .job = event.job,
                          .work_per_s = event.work_per_s,
                          .communication_fraction = event.communication_fraction,
                          .work_done = event.work_done,
                          .resizing = event.resizing});
    if (event.resizing) { return; }
    job.phase = JobPhase::kRunning;
    transition_over(event.job);
}

void Scheduler::Impl::on(const JobProgress& event) {
    const JobRecord& job = state_.record(event.job);
    if (job.phase == JobPhase::kRunning) { state_.set_progress(event.job, event.work_done, job.work_per_s, now_); }
}

void Scheduler::Impl::on(const JobStopped& event) {
    JobRecord& job = state_.record(event.job);
    if (job.held.empty()) { return; }
    const bool asked_for = job.phase == JobPhase::kStopping;
    StopReason reason = StopReason::kCapacityLost;
    if (asked_for && !job.evicting) { reason = job.target.empty() ? StopReason::kPreempted : StopReason::kMigrating; }
    state_.set_progress(event.job, event.work_done, 0, now_);
    state_.set_held(event.job, {}, now_);
    job.phase = JobPhase::kWaiting;
    log_.record(StopRecord{.time = now_, .job = event.job, .reason = reason, .work_done = event.work_done, .work_lost = event.work_lost});
    if (!asked_for) { lose(event.job); }
    job.evicting = false;
    transition_over(event.job);
}

void Scheduler::Impl::transition_over(JobId id) {
    JobRecord& job = state_.record(id);
    if (job.in_flight) { --state_.transitions_in_flight; }
    job.in_flight = false;
    news_ = news_ || policy_.traits().asked_after_transitions;
}

void Scheduler::Impl::end_job(JobId id, double work_done, bool cancelled) {
    if (id.index() >= state_.admitted() || state_.record(id).phase == JobPhase::kDone) { return; }
    transition_over(id);
    state_.set_progress(id, work_done, 0, now_);
    if (!state_.record(id).held.empty()) { state_.set_held(id, {}, now_); }
    state_.set_target(id, {});
    log_.record(FinishRecord{.time = now_, .job = id, .work_done = work_done, .cancelled = cancelled});
    dependencies_.forget(id);
    reasons_.erase(id);
    state_.depart(id);
    release_dependents(id);
    news_ = true;
}

void Scheduler::Impl::release_dependents(JobId ended) {
    for (const JobId freed : dependencies_.release(ended)) {
        log_.record(ReleaseRecord{.time = now_, .job = freed});
        state_.enter(freed);
        news_ = true;
    }
}

void Scheduler::Impl::on(const CapacityChanged& event) {
    state_.change_capacity(event.type, event.delta);
    log_.record(CapacityRecord{.time = now_, .type = event.type, .gpus = state_.capacity(event.type)});
    if (state_.committed(event.type) > state_.capacity(event.type) || state_.used(event.type) > state_.capacity(event.type)) {
        evict_for(event.type);
    }
    news_ = true;
}

// The jobs launched last lose their GPUs first: they have the least to lose.
void Scheduler::Impl::evict_for(GpuTypeId type) {
    std::vector<JobId> victims;
    for (const JobId id : state_.present()) {
        const JobRecord& job = state_.record(id);
        if (job.held.gpus_of(type) + job.target.gpus_of(type) > 0) { victims.push_back(id); }
    }
    const auto launched = [this](JobId id) { return state_.record(id).last_launch; };  // kNever: promised only, so first
    std::stable_sort(victims.begin(), victims.end(), [&](JobId a, JobId b) { return launched(a) < launched(b); });
    int held = state_.used(type);
    while (!victims.empty() && (state_.committed(type) > state_.capacity(type) || held > state_.capacity(type))) {
        const JobId id = victims.back();
        victims.pop_back();
        JobRecord& job = state_.record(id);
        held -= job.held.gpus_of(type);
        lose(id);
        if (job.held.empty()) { continue; }
        job.evicting = true;
        stop(id, StopReason::kCapacityLost);
    }
}

void Scheduler::Impl::lose(JobId id) {
    state_.set_target(id, {});
    state_.evicted.push_back(id);
    news_ = true;
}

// ---- The policy ---------------------------------------------------------------------------------------------------------------

bool Scheduler::Impl::asking_is_due() const {
    if (deferred_) { return false; }
    if (round_.value == 0) { return news_ || ask_again_ <= now_; }
    return now_.value % round_.value == 0 && asked_in_round_ != now_ && state_.present_count() > 0;
}

void Scheduler::Impl::ask() {
    ++decisions_;
    asked_in_round_ = now_;
    news_ = false;
    Decision decision = policy_.decide(ClusterView(state_, now_));
    state_.news_told();
    ask_again_ = decision.ask_again > now_ ? decision.ask_again : kNever;
    if (options_.policy_latency.value <= 0) { return take(decision); }
    if (decision.changes.empty() && decision.reservations.empty() && decision.reasons.empty()) { return; }
    deferred_.emplace(now_ + to_sim_time(options_.policy_latency), std::move(decision));
}

void Scheduler::Impl::take(const Decision& decision) {
    for (const Change& change : decision.changes) { apply(change); }
    for (std::size_t index = 0; index < state_.cluster().gpu_types.size(); ++index) {
        MEDLEY_ASSERT(state_.committed(GpuTypeId(index)) <= state_.capacity(GpuTypeId(index)));
    }
    for (const Change& change : decision.changes) { enlist(change.job); }
    pursue_pending();
    for (const Reservation& reservation : decision.reservations) {
        log_.record(
            ReservationRecord{.time = now_, .job = reservation.job, .start = reservation.start, .grants = reservation.allocation.grants});
    }
    explain(decision);
}

void Scheduler::Impl::explain(const Decision& decision) {
    for (const Reason& reason : decision.reasons) {
        if (!state_.record(reason.job).present) { continue; }
        std::string& last = reasons_[reason.job];
        if (last == reason.text) { continue; }
        last = reason.text;
        log_.record(ReasonRecord{.time = now_, .job = reason.job, .text = reason.text});
    }
}

void Scheduler::Impl::apply(const Change& change) {
    const bool late = options_.policy_latency.value > 0;
    if (late && (!state_.record(change.job).present || !still_fits(change))) {
        news_ = true;  // the world moved on while the policy was thinking
        return;
    }
    MEDLEY_ASSERT(state_.record(change.job).present);
    state_.set_target(change.job, change.target);
}

bool Scheduler::Impl::still_fits(const Change& change) const {
    const Allocation& before = state_.record(change.job).target;
    return std::all_of(change.target.grants.begin(), change.target.grants.end(), [&](const Grant& grant) {
        return state_.committed(grant.type) - before.gpus_of(grant.type) + grant.gpus <= state_.capacity(grant.type);
    });
}

// ---- Transitions --------------------------------------------------------------------------------------------------------------

void Scheduler::Impl::pursue_pending() {
    if (pending_.empty()) { return; }
    pursuing_.swap(pending_);
    for (const JobId id : pursuing_) { state_.record(id).pending = false; }
    for (const JobId id : pursuing_) { pursue(id); }
    pursuing_.clear();
}

void Scheduler::Impl::enlist(JobId id) {
    JobRecord& job = state_.record(id);
    if (!job.pending) { pending_.push_back(id); }
    job.pending = true;
}

void Scheduler::Impl::pursue(JobId id) {
    JobRecord& job = state_.record(id);
    if (!job.present) { return; }
    switch (next_step(job, state_.available(job.target, job.held))) {
        case Step::kNone: return;
        case Step::kLaunch: return start(id);
        case Step::kResize: return resize(id, job.target);
        case Step::kStop:
            stop(id, job.target.empty() ? StopReason::kPreempted : StopReason::kMigrating);
            if (job.target.empty()) { return; }
            break;
        case Step::kRelease: resize(id, common_part(job.held, job.target)); break;
        case Step::kWait: break;
    }
    enlist(id);
}

void Scheduler::Impl::start(JobId id) {
    JobRecord& job = state_.record(id);
    const Seconds overhead = job.launched_before ? options_.costs.restart : options_.costs.startup;
    const bool restart = job.launched_before;
    state_.set_held(id, job.target, now_);
    job.phase = JobPhase::kStarting;
    job.in_flight = true;
    job.launched_before = true;
    job.last_launch = now_;
    job.progress_from = now_ + to_sim_time(overhead);
    ++state_.transitions_in_flight;
    log_.record(LaunchRecord{.time = now_, .job = id, .grants = job.held.grants, .restart = restart});
    actions_.emplace_back(Launch{.job = id, .allocation = job.held, .overhead = overhead, .restart = restart});
}

void Scheduler::Impl::resize(JobId id, const Allocation& to) {
    JobRecord& job = state_.record(id);
    const Seconds overhead = resize_cost(job.held, to, options_.costs);
    state_.set_held(id, to, now_);
    job.in_flight = true;
    ++state_.transitions_in_flight;
    log_.record(ResizeRecord{.time = now_, .job = id, .grants = job.held.grants});
    actions_.emplace_back(Resize{.job = id, .allocation = job.held, .overhead = overhead});
}

void Scheduler::Impl::stop(JobId id, StopReason reason) {
    JobRecord& job = state_.record(id);
    if (job.phase == JobPhase::kStopping && reason != StopReason::kCapacityLost) { return; }
    const bool running = job.phase == JobPhase::kRunning;
    const Seconds overhead = running && reason != StopReason::kCapacityLost ? options_.costs.checkpoint : Seconds{0};
    state_.set_progress(id, state_.work_done(id, now_), 0, now_);
    job.phase = JobPhase::kStopping;
    if (!job.in_flight) { ++state_.transitions_in_flight; }
    job.in_flight = true;
    if (overhead.value > 0) { log_.record(CheckpointRecord{.time = now_, .job = id, .work_done = job.work_done}); }
    actions_.emplace_back(Stop{.job = id, .overhead = overhead, .reason = reason});
}

void Scheduler::Impl::set_wake_up() {
    SimTime wake = kNever;
    if (round_.value == 0) {
        wake = ask_again_;
    } else if (state_.present_count() > 0) {
        wake = SimTime{(now_.value / round_.value + 1) * round_.value};
    }
    if (deferred_) { wake = round_.value == 0 ? deferred_->first : std::min(wake, deferred_->first); }
    if (wake == wake_at_) { return; }
    wake_at_ = wake;
    actions_.emplace_back(WakeAt{.time = wake});
}

// ---- The public face ----------------------------------------------------------------------------------------------------------

Scheduler::Scheduler(const Cluster& cluster, const std::vector<Job>& jobs, const CostModel& believed, Policy& policy, EventSink& log,
                     SchedulerOptions options)
    : impl_(std::make_unique<Impl>(cluster, jobs, believed, policy, log, std::move(options))) {}
Scheduler::~Scheduler() = default;

std::span<const Action> Scheduler::handle(std::span<const Event> events, SimTime now) { return impl_->handle(events, now); }
void Scheduler::finish(SimTime now) { impl_->finish(now); }
std::size_t Scheduler::unfinished() const { return impl_->unfinished(); }
JobPhase Scheduler::phase(JobId job) const { return impl_->state().record(job).phase; }
const Allocation& Scheduler::held(JobId job) const { return impl_->state().record(job).held; }
std::uint64_t Scheduler::decisions() const { return impl_->decisions(); }
ClusterView Scheduler::view(SimTime now) const { return ClusterView(impl_->state(), now); }

}  // namespace medley
