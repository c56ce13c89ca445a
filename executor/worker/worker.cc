#include "executor/worker/worker.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

namespace medley::executor {
namespace {

constexpr Milliseconds kNever = std::numeric_limits<Milliseconds>::max() / 4;
constexpr Milliseconds kLongestWait = 1000;
/// A tick so much too late means that the process was stopped, not that the coordinator was silent.
constexpr Milliseconds kOverslept = 1000;
/// Of so many members each says a step once in a heartbeat's time; of fewer, each more often.
constexpr double kMembersPerHeartbeat = 128;
constexpr std::size_t kManyMembers = 64;
constexpr Step kRarest = 1024;  ///< steps between two that a member says

}  // namespace

/// The machinery in four parts: the connection, the coordinator's words (`hear`), the trainer's reports (`on`), and time (`tick`).
class Worker::Impl {
 public:
    explicit Impl(WorkerOptions options) : options_(std::move(options)), backoff_(options_.reconnect) {}

    std::vector<WorkerCommand> start(Milliseconds now) {
        now_ = now;
        join_by_ = now + options_.join;
        emit(ConnectAt{now});
        tick();
        return std::exchange(commands_, {});
    }
    std::vector<WorkerCommand> handle(const WorkerInput& input, Milliseconds now) {
        if (exited_) { return {}; }
        now_ = now;
        forgive_sleep();
        std::visit([this](const auto& known) { on(known); }, input);
        if (!exited_) { tick(); }
        return std::exchange(commands_, {});
    }

 private:
    enum class LeaseEnd { kNone, kPausing, kAborting, kSaving };

    // ---- connection
    void on(const Connected&);
    void on(const ConnectFailed& input);
    void on(const Disconnected&);
    void close();
    void connect_later();
    void say_again();

    // ---- the coordinator's words
    void on(const CoordinatorSaid& input) {
        if (!connected_) { return; }
        std::visit([this](const auto& known) { hear(known); }, input.message);
    }
    void hear(const Welcome& welcome);
    void hear(const Form& form);
    void hear(const Offers& offers);
    void hear(const Pause& pause);
    void hear(const Abort& abort);
    void hear(const Lease& lease) { obeys(lease.term); }
    void hear(const Shutdown& shutdown);
    template <class Other>
    void hear(const Other&) {}  // not a coordinator's word
    bool obeys(Term term);
    void begin(const Form& form, std::uint32_t rank);
    void refuse(const Form& form);
    void save_when_idle();

    // ---- engine and trainer
    void on(const EngineBuilt& input);
    void on(const EngineFailed& input);
    void on(const TrainerOffers& input);
    void on(const TrainerJoined& input);
    void on(const TrainerStepped& input);
    bool worth_saying(const Stepped& stepped) const;
    /// A coordinator of a hundred hears from each half as often.
    Milliseconds heartbeat() const { return running_ && members_ > kManyMembers ? 2 * options_.heartbeat : options_.heartbeat; }
    void on(const TrainerStopped& input);
    void on(const TrainerCheckpointed& input);

    // ---- time
    void on(const ClockTicked&) {}
    void forgive_sleep();
    void tick();
    void end_lease();
    void advance_lease_end();

    void exit(int code, std::string reason) {
        emit(ExitProcess{code, std::move(reason)});
        exited_ = true;
    }
    void say(Message message) {
        if (!connected_) { return; }
        emit(SendToCoordinator{std::move(message)});
        heartbeat_at_ = now_ + heartbeat();  // whatever is said is a sign of life
    }
    template <class Command>
    void emit(Command command) {
        commands_.push_back(std::move(command));
    }

    WorkerOptions options_;
    std::vector<WorkerCommand> commands_;
    Milliseconds now_ = 0;
    Milliseconds tick_at_ = kNever;
    bool exited_ = false;

    bool connected_ = false;
    bool greeted_ = false;  ///< this connection's coordinator has shown a term that counts
    Milliseconds backoff_;
    Milliseconds join_by_ = kNever;
    Milliseconds heartbeat_at_ = kNever;
    Milliseconds silent_at_ = kNever;
    Term term_ = 0;

    Milliseconds lease_ = 0;
    Milliseconds lease_ends_ = kNever;
    LeaseEnd lease_end_ = LeaseEnd::kNone;
    Milliseconds lease_step_by_ = kNever;

    bool welcomed_ = false;
    std::optional<Ready> ready_;
    bool running_ = false;
    bool joined_ = false;
    bool pause_sent_ = false;
    bool abort_sent_ = false;
    bool save_wanted_ = false;
    bool saving_ = false;
    WorkerState state_ = WorkerState::kFresh;  ///< while idle
    Generation generation_ = 0;
    std::uint32_t rank_ = 0;   ///< in this generation
    std::size_t members_ = 1;  ///< of it
    Step step_ = kNoState;
    std::uint32_t next_round_ = 0;  ///< of offers to deliver
    std::vector<Offer> offers_;     ///< of this generation
    std::optional<Stopped> stopped_;
    std::optional<Checkpointed> checkpointed_;
    std::optional<Form> pending_form_;  ///< came while a checkpoint was being written
};

Worker::Worker(WorkerOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Worker::~Worker() = default;
Worker::Worker(Worker&&) noexcept = default;
std::vector<WorkerCommand> Worker::start(Milliseconds now) { return impl_->start(now); }
std::vector<WorkerCommand> Worker::handle(const WorkerInput& input, Milliseconds now) { return impl_->handle(input, now); }

// ---- connection

void Worker::Impl::on(const Connected&) {
    connected_ = true;
    greeted_ = false;
    heartbeat_at_ = now_ + options_.heartbeat;
    silent_at_ = now_ + options_.silence;
    say(Hello{.worker = options_.worker,
              .term = term_,
              .state = running_ ? WorkerState::kTraining : state_,
              .ready = ready_.has_value(),
              .generation = generation_,
              .step = step_,
              .process = options_.process,
              .host = options_.host});
    say_again();
}

void Worker::Impl::say_again() {
    if (ready_) { say(*ready_); }
    if (running_) {
        // Even after joining: another member may still wait for them.
        for (const Offer& offer : offers_) { say(offer); }
    }
    if (running_ && joined_) { say(Joined{generation_, step_}); }
    if (!running_ && stopped_) { say(*stopped_); }
    if (checkpointed_) { say(*checkpointed_); }
}

void Worker::Impl::on(const ConnectFailed& input) {
    if (input.refused) { return exit(1, "the coordinator refused this worker: " + input.reason); }
    connect_later();
}

void Worker::Impl::on(const Disconnected&) {
    if (!connected_) { return; }
    connected_ = false;
    connect_later();
}

void Worker::Impl::close() {
    emit(CloseConnection{});
    connected_ = false;
    connect_later();
}

void Worker::Impl::connect_later() {
    heartbeat_at_ = silent_at_ = kNever;
    emit(ConnectAt{now_ + backoff_});
    backoff_ = std::min(2 * backoff_, kLongestWait);
}

// ---- the coordinator's words

bool Worker::Impl::obeys(Term term) {
    if (term < term_) {
        close();
        return false;
    }
    term_ = term;
    greeted_ = true;
    backoff_ = options_.reconnect;
    silent_at_ = now_ + options_.silence;
    lease_ends_ = welcomed_ ? now_ + lease_ : kNever;
    // Too late to undo a pause, which the other members share, but not to wait for what comes next.
    if (lease_end_ != LeaseEnd::kSaving) { lease_end_ = LeaseEnd::kNone; }
    return true;
}

void Worker::Impl::hear(const Welcome& welcome) {
    if (!obeys(welcome.term) || welcomed_) { return; }
    welcomed_ = true;
    join_by_ = kNever;
    lease_ = std::max<Milliseconds>(1, static_cast<Milliseconds>(welcome.setup.lease_s * 1000));
    lease_ends_ = now_ + lease_;
    emit(BuildEngine{welcome.setup, welcome.place});
}

void Worker::Impl::hear(const Form& form) {
    if (!obeys(form.term) || running_ || !ready_ || form.generation <= generation_) { return; }
    if (saving_) {
        pending_form_ = form;
        return;
    }
    const auto mine = std::find(form.members.begin(), form.members.end(), options_.worker);
    const bool sound = mine != form.members.end() && form.placement.places.size() == form.members.size() &&
                       (form.from_start || !form.checkpoint.empty() || form.source < form.members.size());
    if (!sound) { return; }
    begin(form, static_cast<std::uint32_t>(mine - form.members.begin()));
}

void Worker::Impl::begin(const Form& form, std::uint32_t rank) {
    const bool source = !form.from_start && form.checkpoint.empty() && form.source == rank;
    generation_ = form.generation;
    rank_ = rank;
    members_ = form.members.size();
    offers_.clear();
    next_round_ = 0;
    if (source && step_ != form.step) { return refuse(form); }
    running_ = true;
    joined_ = pause_sent_ = abort_sent_ = save_wanted_ = false;
    stopped_.reset();
    emit(StartGeneration{form, rank});
}

void Worker::Impl::refuse(const Form& form) {
    stopped_ = Stopped{.generation = form.generation, .step = step_, .cause = StopCause::kBroken, .detail = "asked for a state it lacks"};
    say(*stopped_);
}

void Worker::Impl::hear(const Offers& offers) {
    if (!greeted_ || !running_ || offers.generation != generation_ || offers.round != next_round_) { return; }
    ++next_round_;
    emit(DeliverOffers{offers});
}

void Worker::Impl::hear(const Pause& pause) {
    if (!obeys(pause.term) || !running_ || pause.generation != generation_ || pause_sent_ || abort_sent_) { return; }
    pause_sent_ = true;
    emit(PauseTrainer{generation_});
}

void Worker::Impl::hear(const Abort& abort) {
    if (!obeys(abort.term) || !running_ || abort.generation != generation_ || abort_sent_) { return; }
    abort_sent_ = true;
    emit(AbortTrainer{generation_});
}

void Worker::Impl::hear(const Shutdown& shutdown) {
    if (!obeys(shutdown.term)) { return; }
    if (!shutdown.checkpoint) { return exit(0, shutdown.reason); }
    pending_form_.reset();
    save_wanted_ = true;
    save_when_idle();
}

void Worker::Impl::save_when_idle() {
    if (saving_) { return; }
    if (running_) {
        if (!pause_sent_ && !abort_sent_) { emit(PauseTrainer{generation_}); }
        pause_sent_ = true;
        return;
    }
    if (state_ == WorkerState::kFresh) {
        save_wanted_ = false;
        return say(Checkpointed{.step = kNoState, .error = "the worker holds no state"});
    }
    saving_ = true;
    emit(SaveCheckpoint{});
}

// ---- engine and trainer

void Worker::Impl::on(const EngineBuilt& input) {
    ready_ = Ready{input.device_name, input.state_bytes};
    say(*ready_);
}

void Worker::Impl::on(const EngineFailed& input) {
    say(Failed{input.reason});
    exit(1, input.reason);
}

void Worker::Impl::on(const TrainerOffers& input) {
    if (!running_ || input.generation != generation_) { return; }
    offers_.push_back({input.generation, input.round, input.blob});
    say(offers_.back());
}

void Worker::Impl::on(const TrainerJoined& input) {
    if (!running_ || input.generation != generation_) { return; }
    joined_ = true;
    step_ = input.step;
    say(Joined{generation_, step_});
}

void Worker::Impl::on(const TrainerStepped& input) {
    if (!running_ || input.stepped.generation != generation_) { return; }
    step_ = input.stepped.step;
    if (worth_saying(input.stepped)) { say(input.stepped); }
}

// Times differ a little from worker to worker; with powers of two the members mostly agree, and if not, the rarer steps are said by all.
bool Worker::Impl::worth_saying(const Stepped& stepped) const {
    if (rank_ == 0) { return true; }
    const double share = std::min(1.0, static_cast<double>(members_) / kMembersPerHeartbeat);
    const double between_s = share * static_cast<double>(heartbeat()) / 1000;
    const double step_s = stepped.times.compute_s + stepped.times.collective_s + stepped.times.update_s + stepped.times.other_s;
    Step every = 1;
    while (every < kRarest && !(static_cast<double>(every) * step_s >= between_s)) { every *= 2; }
    return stepped.step % every == 0;
}

void Worker::Impl::on(const TrainerStopped& input) {
    if (!running_ || input.stopped.generation != generation_) { return; }
    running_ = false;
    stopped_ = input.stopped;
    step_ = stopped_->step = std::max(input.stopped.step, kNoState);
    state_ = step_ == kNoState                         ? WorkerState::kFresh
             : stopped_->cause == StopCause::kFinished ? WorkerState::kFinished
                                                       : WorkerState::kStopped;
    say(*stopped_);
    if (save_wanted_) { save_when_idle(); }
}

void Worker::Impl::on(const TrainerCheckpointed& input) {
    checkpointed_ = input.checkpoint;
    say(*checkpointed_);
    // A periodic one of an earlier step may end meanwhile.
    const bool asked_for = checkpointed_->step == step_ || !checkpointed_->error.empty();
    if (!saving_ || running_ || !asked_for) { return; }
    saving_ = save_wanted_ = false;
    if (lease_end_ == LeaseEnd::kSaving && now_ >= lease_ends_) { return exit(1, "no word from the coordinator until the lease was over"); }
    lease_end_ = LeaseEnd::kNone;
    if (const auto form = std::exchange(pending_form_, std::nullopt)) { hear(*form); }
}

// ---- time

void Worker::Impl::forgive_sleep() {
    if (now_ <= tick_at_ + kOverslept) { return; }
    const Milliseconds slept = now_ - tick_at_;
    for (Milliseconds* deadline : {&join_by_, &silent_at_, &lease_ends_, &lease_step_by_}) {
        if (*deadline < kNever) { *deadline += slept + kOverslept; }
    }
}

void Worker::Impl::tick() {
    if (now_ >= join_by_) { return exit(1, "no coordinator was found"); }
    if (connected_ && now_ >= heartbeat_at_) { say(Heartbeat{step_}); }
    if (connected_ && now_ >= silent_at_) { close(); }
    if (now_ >= lease_ends_ && lease_end_ == LeaseEnd::kNone) { end_lease(); }
    if (lease_end_ != LeaseEnd::kNone) { advance_lease_end(); }
    if (exited_) { return; }
    tick_at_ = std::min({join_by_, heartbeat_at_, silent_at_, lease_end_ == LeaseEnd::kNone ? lease_ends_ : lease_step_by_});
    if (tick_at_ < kNever) { emit(TickAt{tick_at_}); }
}

void Worker::Impl::end_lease() {
    if (!running_ && !saving_ && state_ == WorkerState::kFresh) { return exit(1, "no word from the coordinator until the lease was over"); }
    lease_end_ = running_ ? LeaseEnd::kPausing : LeaseEnd::kSaving;
    lease_step_by_ = now_ + lease_;
    save_wanted_ = true;
    save_when_idle();
}

// Each part may take a lease; whoever cannot save by then ends without.
void Worker::Impl::advance_lease_end() {
    if (lease_end_ != LeaseEnd::kSaving && !running_) {
        if (!saving_) { return exit(1, "the lease was over and no state was held"); }
        lease_end_ = LeaseEnd::kSaving;
        lease_step_by_ = now_ + lease_;
    }
    if (now_ < lease_step_by_) { return; }
    if (lease_end_ != LeaseEnd::kPausing) { return exit(1, "the lease was over and the state could not be saved in time"); }
    lease_end_ = LeaseEnd::kAborting;
    lease_step_by_ = now_ + lease_;
    abort_sent_ = true;
    emit(AbortTrainer{generation_});
}

}  // namespace medley::executor
