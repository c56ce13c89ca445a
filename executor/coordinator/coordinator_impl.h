#pragma once
/// The coordinator's machinery. Inputs change the facts (inputs.cc); what follows from the facts is worked out anew after each input that
/// may matter, from the top (transitions.cc, endings.cc). So no order of events needs a case of its own.

#include "executor/coordinator/arrangement.h"
#include "executor/coordinator/history.h"

namespace medley::executor {

class Coordinator::Impl {
 public:
    explicit Impl(CoordinatorOptions options);
    Impl(CoordinatorOptions options, const History& history, std::optional<CheckpointFound> checkpoint);

    std::vector<CoordinatorCommand> start(Milliseconds now);
    std::vector<CoordinatorCommand> handle(const CoordinatorInput& input, Milliseconds now);

    Term term() const { return term_; }
    bool ended() const { return ended_; }
    StatusReply status() const;

 private:
    enum class Wish { kTrain, kStop, kFail };
    struct Saving {
        WorkerNumber worker = 0;
        Milliseconds deadline = kNever;
    };
    struct Ending {
        bool succeeded = false;
        std::string reason;
        Milliseconds deadline = kNever;
    };

    // ---- inputs (inputs.cc): each says whether anything may follow from it
    bool on(const WorkerConnected& input);
    bool on(const WorkerSaid& input);
    bool on(const WorkerDisconnected& input);
    bool on(const WorkerExited& input);
    bool on(const OperatorAsked& input);
    bool on(const TimePassed&) { return true; }

    bool hear(WorkerNumber worker, WorkerFacts& facts, const Ready& ready);
    bool hear(WorkerNumber worker, WorkerFacts& facts, const Offer& offer);
    bool hear(WorkerNumber worker, WorkerFacts& facts, const Joined& joined);
    bool hear(WorkerNumber worker, WorkerFacts& facts, const Stepped& stepped);
    bool hear(WorkerNumber worker, WorkerFacts& facts, const Stopped& stopped);
    bool hear(WorkerNumber worker, WorkerFacts& facts, const Checkpointed& checkpointed);
    bool hear(WorkerNumber, WorkerFacts&, const Heartbeat&) { return false; }
    bool hear(WorkerNumber worker, WorkerFacts& facts, const Failed& failed);
    template <class Other>
    bool hear(WorkerNumber, WorkerFacts&, const Other&) {
        return false;  // not a worker's word
    }
    void renew_lease(WorkerNumber worker, WorkerFacts& facts);
    void note_progress();
    void catch_up(WorkerNumber worker, WorkerFacts& facts, const Hello& hello);
    void call_back(WorkerNumber worker, WorkerFacts& facts, Generation generation);
    void catch_up_member(WorkerNumber worker, WorkerFacts& facts, const Hello& hello);

    RequestReply answer(const ResizeRequest& request);
    RequestReply answer(const StopRequest& request);
    std::string refusal_of(const Placement& placement) const;

    // ---- what follows (transitions.cc)
    void advance();
    void expire();
    void lose(WorkerNumber worker, const std::string& reason);
    void blame(Slot& slot);
    void release(WorkerNumber worker);
    bool still_recovering() const;
    void finish_recovery();
    void retarget(const Placement& placement);
    void apply_planned();
    void launch_due();

    void advance_live();
    void advance_forming();
    void begin_training();
    void advance_training();
    void advance_pausing();
    void advance_aborting();
    void pause();
    void abort();
    void rest();
    bool change_is_due() const;
    bool differs(const Arrangement& arrangement) const;
    Milliseconds lease_every() const;
    Milliseconds stop_by() const { return now_ + options_.timeouts.stop + 2 * step_time_; }

    void advance_at_rest();
    void form();
    void begin_generation(Arrangement arrangement);
    void release_leftovers();
    std::vector<WorkerNumber> holders() const;

    // ---- the end (endings.cc)
    void advance_finish(WorkerNumber finished);
    std::optional<WorkerNumber> finished_worker() const;
    void advance_stop();
    void ask_to_save(WorkerNumber worker);
    void expire_saving();
    void fail(std::string reason);
    void begin_ending(bool succeeded, std::string reason);
    void advance_ending();
    void superseded(Term term);

    // ---- commands
    void log(Record record, bool durable = false);
    template <class Sent>
    void send(WorkerNumber worker, Sent message) {
        const WorkerFacts* facts = roster_.find(worker);
        if (facts != nullptr && facts->connected) { emit(SendToWorker{worker, std::move(message)}); }
    }
    template <class Command>
    void emit(Command command) {
        commands_.emplace_back(std::move(command));
    }
    void forgive_sleep();
    void set_wake();
    std::string phase_name() const;

    CoordinatorOptions options_;
    Term term_ = 1;
    std::vector<CoordinatorCommand> commands_;
    Milliseconds now_ = 0;
    Milliseconds wake_at_ = kNever;
    bool ended_ = false;

    Roster roster_;
    std::map<WorkerNumber, Milliseconds> leaving_;  ///< released: to be killed if they have not ended by then
    std::optional<LiveGeneration> live_;
    Generation last_generation_ = 0;
    WorkerNumber rank_zero_ = 0;  ///< of the newest generation: it writes the final checkpoint
    WorkerNumber last_worker_ = 0;
    bool recovering_ = false;
    bool target_logged_ = false;

    std::optional<CheckpointFound> checkpoint_;
    Step step_ = 0;  ///< last known to be done
    double loss_ = 0;
    Milliseconds step_time_ = 0;
    double samples_per_s_ = 0;
    int fruitless_ = 0;  ///< generations in a row
    std::size_t planned_done_ = 0;

    Wish wish_ = Wish::kTrain;
    std::string wish_reason_;
    std::optional<Saving> saving_;
    bool save_settled_ = false;  ///< written, or tried in vain
    std::string save_error_;
    bool final_saved_ = false;
    std::optional<FinishedRecord> finished_;
    std::optional<Ending> ending_;
};

}  // namespace medley::executor
