#pragma once
/// The GPUs of the simulated cluster and the jobs on them: carries out the scheduler's actions and lets jobs progress in virtual time.
///
/// The fleet keeps two promises that it asserts all the time: no type is used beyond the capacity present, and work is conserved. A
/// job's progress is the sum of speed x time over the stretches in which it held GPUs; when it finishes, that sum is its total work.
/// Only jobs that hold GPUs have a record here; of the others nothing but the work done is kept.
/// Cost: O(log running jobs) per action and event. Thread rule: one thread.

#include <array>
#include <optional>
#include <vector>

#include "core/cluster.h"
#include "core/units.h"
#include "sched/event.h"
#include "simulator/cluster/compat_virtualflow_logs.h"
#include "simulator/cluster/event_queue.h"
#include "simulator/cluster/world.h"

namespace medley::simulator {

struct FleetOptions {
    Seconds checkpoint_interval{0};                             ///< 0 = lost GPUs lose no work
    std::optional<VirtualFlowLogsAccounting> virtualflow_logs;  ///< empty = correct accounting
};

class Fleet {
 public:
    Fleet(const Cluster& cluster, const World& world, std::size_t jobs, FleetOptions options);

    void carry_out(const Launch& launch, SimTime now);
    void carry_out(const Resize& resize, SimTime now);
    void carry_out(const Stop& stop, SimTime now);

    /// Time of the next thing that will happen by itself; kNever if nothing will.
    SimTime next_time();
    /// Everything that happens at `now`, ready for the scheduler.
    void advance(SimTime now);
    /// Moves what has happened and was not taken yet to the end of `events`, ordered by kind: finishes, stops, runs.
    void take(std::vector<Event>& events);
    /// Once the scheduler has said all it wants in this moment.
    void end_moment(SimTime now);

    void change_capacity(GpuTypeId type, int delta) { capacity_[type.index()] += delta; }
    /// Does any job make progress from here on, if nothing else happens?
    bool progresses() const { return progressing_ > 0; }
    /// Log-compatible accounting: rounds in a row that earned nobody a whole unit of work.
    std::size_t fruitless_credits() const { return fruitless_credits_; }
    std::size_t running() const { return jobs_.size() - free_slots_.size(); }
    /// Asserts conservation over the whole run: work that GPUs did = work of jobs + work lost. Call at the end.
    void assert_conservation(SimTime now);

 private:
    enum class Phase : std::uint8_t { kStarting, kRunning, kCheckpointing };
    /// A job that holds GPUs.
    struct Running {
        JobId job;
        std::uint32_t slot = 0;
        double total_work = 0;
        Allocation held;
        JobSpeed speed;
        SimTime settled;         ///< up to here `work_done` is true
        SimTime progress_since;  ///< first progress since its launch; automatic checkpoints are counted from here
        double work_done = 0;
        double work_saved = 0;  ///< as of the last checkpoint
        Ticket finish = kNoTicket;
        Ticket transition = kNoTicket;  ///< end of a launch, resize or checkpoint
        Phase phase = Phase::kStarting;
        bool credit_is_due = false;  ///< log-compatible accounting: `finish` only says that a round ends
    };
    static constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};

    Running& running(JobId job) { return jobs_[slots_[job.index()]]; }
    bool alive(const QueuedEvent& event) const {
        const Running& run = jobs_[event.owner];
        return run.finish == event.ticket || run.transition == event.ticket;
    }
    Ticket schedule(const Running& run, SimTime time, Happening happening) { return queue_.push(time, happening, run.slot); }
    void prune();
    Running& add(JobId job, const Allocation& held, SimTime now);
    void remove(Running& run);
    void use(const Allocation& before, const Allocation& after);

    void set_speed(Running& run, JobSpeed speed);
    void settle(Running& run, SimTime now);
    void run_at(Running& run, JobSpeed speed, SimTime now);
    void schedule_finish(Running& run, SimTime now);
    void save_automatically(Running& run, SimTime now);
    void complete_transition(Running& run, SimTime now);
    void pause(Running& run, SimTime now);
    void report(const Running& run, bool resizing);
    void finish_or_credit(Running& run, SimTime now);
    void finish(Running& run);
    void stop(Running& run, double work_lost);

    const World& world_;
    FleetOptions options_;
    SimTime checkpoint_interval_;
    EventQueue queue_;
    std::size_t progressing_ = 0;  ///< jobs with a speed above 0
    std::size_t fruitless_credits_ = 0;
    std::size_t cancelled_ = 0;  ///< events in the queue that will be ignored
    std::vector<int> capacity_, used_;
    std::vector<std::uint32_t> slots_;  ///< by job
    std::vector<double> work_done_;     ///< by job, while it holds nothing
    std::vector<Running> jobs_;
    std::vector<std::uint32_t> free_slots_;
    std::array<std::vector<Event>, 3> happened_;  ///< by Happening
    std::vector<JobId> credited_;                 ///< in this moment
    double work_by_gpus_ = 0;
    double work_of_gone_ = 0;  ///< of jobs while they held GPUs that they hold no more: finished, saved or lost
};

}  // namespace medley::simulator
