#pragma once
/// The versioned, read-only picture of the cluster that a policy decides on.

#include <cstdint>
#include <span>
#include <vector>

#include "core/cluster.h"
#include "core/ids.h"
#include "core/job_speed.h"
#include "core/profile.h"
#include "core/units.h"
#include "sched/allocation.h"
#include "sched/belief.h"

namespace medley {

class SchedulerState;

/// Valid only during Policy::decide. All `held` figures are targets: a job that was told to go to other GPUs counts with those.
class ClusterView {
 public:
    ClusterView(const SchedulerState& state, SimTime now) : state_(state), now_(now) {}

    SimTime now() const { return now_; }
    /// Grows with every change; equal versions mean an equal picture apart from time.
    std::uint64_t version() const;

    const Cluster& cluster() const;
    std::size_t type_count() const { return cluster().gpu_types.size(); }
    /// Present capacity (file and availability), never negative.
    int capacity(GpuTypeId type) const;
    /// Capacity less what jobs hold or are promised.
    int free(GpuTypeId type) const;

    /// Changes since the policy was last asked, for policies that keep their own order: O(changes). A job that both arrived and
    /// departed in between is in neither list.
    std::span<const JobId> arrived() const;
    std::span<const JobId> departed() const;
    /// Jobs that lost their GPUs without the policy's doing and wait again.
    std::span<const JobId> evicted() const;

    /// Jobs present (submitted, dependencies met, not done), waiting or holding GPUs, in order of arrival. O(present).
    std::vector<JobId> present() const;
    std::vector<JobId> waiting() const;
    std::vector<JobId> holding() const;
    std::size_t present_count() const;

    const JobBelief& job(JobId id) const;
    JobPhase phase(JobId id) const;
    const Allocation& held(JobId id) const;
    /// GPUs the job wants on this type: its gang, or the type's whole capacity for a pool job.
    int demand(JobId id, GpuTypeId type) const;
    /// Is the job allowed here, and is the type's capacity (not what is free) large enough?
    bool could_run_on(JobId id, GpuTypeId type) const;

    /// Time of the last launch; kNever if it never held GPUs.
    SimTime last_launch(JobId id) const;
    /// Observed, up to now: work done in the job's unit, seconds with GPUs, and GPU-seconds held.
    double work_done(JobId id) const;
    Seconds held_seconds(JobId id) const;
    double held_gpu_seconds(JobId id) const;
    /// Believed seconds to the end if it keeps (or, when waiting, gets) the requested GPUs. Requires a class that knows run times.
    Seconds remaining(JobId id) const;

    /// Believed speed; zero where it cannot run.
    JobSpeed speed(JobId id, GpuTypeId type, int gpus) const;
    JobSpeed speed(JobId id, const Plan& plan) const;
    /// The profile of the job's model; null if unknown.
    const Profile* profile(JobId id) const;

    /// Is any launch, resize or stop still under way?
    bool transition_pending() const;
    /// What it would cost to bring the job from what it holds to `target`: seconds without (or, in a resize, with old) progress.
    Seconds transition_cost(JobId id, const Allocation& target) const;

 private:
    const SchedulerState& state_;
    SimTime now_;
};

}  // namespace medley
