#pragma once
/// The truth of a simulated cluster: how fast jobs really run. Policies see ClusterView, another type in another module; nothing of
/// this reaches them except as speeds observed after the fact.

#include <cstdint>
#include <span>
#include <vector>

#include "core/job.h"
#include "core/job_speed.h"
#include "sched/allocation.h"

namespace medley::simulator {

struct WorldOptions {
    double speed_noise = 0;  ///< sigma of the log-normal factor on every job's speed, one draw per job and GPU type
    std::uint64_t seed = 0;
};

class World {
 public:
    /// Keeps references to both; they must outlive it.
    World(const std::vector<Job>& jobs, const CostModel& truth, WorldOptions options);

    const Job& job(JobId id) const { return jobs_[id.index()]; }
    /// Speed with these GPUs. What is left of a mix after it gave up GPUs has no plan of its own: it works with its fastest type alone.
    JobSpeed speed(JobId id, const Allocation& held) const;
    /// Speed in a resize, with the part of its GPUs that a job keeps until the gained ones work: never above `before`, its speed so far.
    JobSpeed interim_speed(JobId id, const Allocation& kept, JobSpeed before) const;

 private:
    double noise(JobId id, std::span<const Grant> grants) const;

    const std::vector<Job>& jobs_;
    const CostModel& truth_;
    WorldOptions options_;
};

}  // namespace medley::simulator
