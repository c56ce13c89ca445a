#pragma once
/// How long a job would still take, where the run time is known.

#include "core/units.h"
#include "sched/cluster_view.h"

namespace medley::planner {

/// Time left on the requested GPUs of the job's reference (or best) type, wherever it runs now or whether it waits; start-up not counted.
/// Requires an oracle's view.
inline Seconds remaining_time(const ClusterView& view, JobId id) {
    const JobBelief& job = view.job(id);
    const double left = job.total_work.value() - view.work_done(id);
    return job.run_time.value() * (left / job.total_work.value());
}

}  // namespace medley::planner
