#pragma once
/// The seam for speeds: how fast a job progresses on given GPUs.
///
/// One implementation reads profiles (`ProfileCostModel`); the simulator's world wraps one to add noise. Work is counted in the job's
/// own unit (core/job.h): optimizer steps, or seconds of its recorded run.

#include "core/ids.h"
#include "core/job.h"
#include "core/plan.h"
#include "core/profile.h"

namespace medley {

struct JobSpeed {
    double work_per_s = 0;              ///< 0 = cannot run there
    double communication_fraction = 0;  ///< share of the time that GPUs wait for communication
};

class CostModel {
 public:
    virtual ~CostModel() = default;
    /// Speed on `gpus` GPUs of one type. Thread rule: const calls may run in parallel. Cost: O(log profile points).
    virtual JobSpeed speed(const Job& job, GpuTypeId type, int gpus) const = 0;
    /// Speed of a plan of the planner (mixed types allowed).
    virtual JobSpeed speed(const Job& job, const Plan& plan) const = 0;
    /// The profile of a model; null if there is none.
    virtual const Profile* profile(Name model) const = 0;
};

/// The job's work in its own unit: steps if stated, else seconds.
inline double total_work(const Job& job) { return job.steps > 0 ? static_cast<double>(job.steps) : job.duration.value; }

}  // namespace medley
