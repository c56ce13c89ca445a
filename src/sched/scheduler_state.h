#pragma once
/// The scheduler's books: who is present, who holds and shall hold what, and how far each job is. Read by ClusterView, written by the
/// scheduler alone; every change of a count goes through one function here, so that the counts cannot drift apart.
///
/// Only jobs that are submitted and not yet forgotten have books; a job that is gone keeps four bytes. So a trace of a million jobs works
/// in the memory of those present at a time.

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/cluster.h"
#include "core/job.h"
#include "core/job_speed.h"
#include "sched/allocation.h"
#include "sched/belief.h"
#include "sched/belief_maker.h"

namespace medley {

struct TransitionCosts;

/// One job's books.
struct JobRecord {
    Allocation held;    ///< GPUs it has now
    Allocation target;  ///< GPUs it shall have; the same once transitions are complete
    double work_done = 0;
    double work_per_s = 0;  ///< as last reported; 0 while it makes no progress
    SimTime reported;       ///< when the two above were true
    SimTime progress_from;  ///< when a launch under way is expected to be complete
    SimTime last_launch = kNever;
    SimTime held_since;       ///< start of the present stretch of equal holdings
    double held_seconds = 0;  ///< completed stretches
    double held_gpu_seconds = 0;
    JobPhase phase = JobPhase::kWaiting;
    bool present = false;  ///< submitted, dependencies met, not done
    bool launched_before = false;
    bool in_flight = false;  ///< a launch, resize or stop waits for the driver's word
    bool evicting = false;   ///< the stop under way was forced by lost capacity
    bool pending = false;    ///< stands in the scheduler's list of unfinished transitions
};

class SchedulerState {
 public:
    SchedulerState(const Cluster& cluster, const std::vector<Job>& jobs, const CostModel& believed, InformationClass information,
                   const TransitionCosts& costs);

    const Cluster& cluster() const { return cluster_; }
    const CostModel& believed() const { return believed_; }
    const Job& job(JobId id) const { return jobs_[id.index()]; }
    const std::vector<Job>& jobs() const { return jobs_; }
    const JobBelief& belief(JobId id) const { return beliefs_[slots_[id.index()]]; }
    const JobKind& kind(JobId id) const { return maker_.kind(belief(id).kind); }
    /// References are good until the next job is admitted. A job that is gone is kDone, and that is all that is known of it.
    JobRecord& record(JobId id) { return records_[slots_[id.index()]]; }
    const JobRecord& record(JobId id) const { return records_[slots_[id.index()]]; }
    const TransitionCosts& costs() const { return costs_; }
    std::uint64_t version() const { return version_; }

    /// Room for the job's books, and its belief. Once per job.
    void admit(JobId id);
    std::size_t admitted() const { return slots_.size(); }
    void enter(JobId id);   ///< becomes present
    void depart(JobId id);  ///< no longer present; requires that it holds and is promised nothing
    void news_told();       ///< the policy knows of all changes so far: departed jobs are forgotten
    std::size_t present_count() const { return present_count_; }
    std::vector<JobId> present() const;

    int capacity(GpuTypeId type) const { return std::max(capacity_[type.index()], 0); }
    int nominal_capacity(GpuTypeId type) const { return nominal_[type.index()]; }
    void change_capacity(GpuTypeId type, int delta);
    int used(GpuTypeId type) const { return used_[type.index()]; }
    int committed(GpuTypeId type) const { return committed_[type.index()]; }
    /// Could these GPUs be handed out now to someone who holds `kept`?
    bool available(const Allocation& wanted, const Allocation& kept) const;

    void set_target(JobId id, Allocation target);
    void set_held(JobId id, Allocation held, SimTime now);
    void set_progress(JobId id, double work_done, double work_per_s, SimTime now);
    void touch() { ++version_; }

    double work_done(JobId id, SimTime now) const;
    Seconds held_seconds(JobId id, SimTime now) const;
    double held_gpu_seconds(JobId id, SimTime now) const;
    Seconds remaining(JobId id, SimTime now) const;

    // Changes since the policy was last asked.
    std::vector<JobId> arrived, departed, evicted;
    int transitions_in_flight = 0;

 private:
    using Slot = std::uint32_t;
    static constexpr Slot kGone = 0;

    void forget(JobId id);
    void compact_present();

    const Cluster& cluster_;
    const std::vector<Job>& jobs_;
    const CostModel& believed_;
    const TransitionCosts& costs_;
    BeliefMaker maker_;
    std::vector<Slot> slots_;         ///< by job
    std::vector<JobBelief> beliefs_;  ///< by slot, as the records
    std::vector<JobRecord> records_;
    std::vector<Slot> free_slots_;
    std::vector<JobId> order_;  ///< of arrival; departed jobs are dropped now and then
    std::size_t present_count_ = 0;
    std::vector<int> capacity_, nominal_, used_, committed_;
    std::uint64_t version_ = 0;
};

}  // namespace medley
