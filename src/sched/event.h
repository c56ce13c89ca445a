#pragma once
/// What the outside world tells the scheduler, and what the scheduler asks of it. The cluster simulator and the executor speak
/// exactly this language, so the same scheduler code serves both.

#include <variant>

#include "core/ids.h"
#include "core/units.h"
#include "sched/allocation.h"

namespace medley {

/// Work is counted in the job's own unit: optimizer steps, or seconds of its recorded run (see core/job.h).
struct JobSubmitted {
    JobId job;
};
/// A launch or resize is complete: the job now makes progress with its new GPUs.
struct JobRunning {
    JobId job;
    double work_per_s = 0;              ///< as it runs now
    double communication_fraction = 0;  ///< share of each step spent waiting for communication
    double work_done = 0;               ///< so far, at this moment
    bool resizing = false;              ///< interim word in a resize: only the GPUs it kept work as yet
};
/// Word from a running job between other events.
struct JobProgress {
    JobId job;
    double work_done = 0;
};
/// The job gave back its GPUs after a Stop, or lost them (then `lost` says how much finished work must be done again).
struct JobStopped {
    JobId job;
    double work_done = 0;  ///< what remains valid
    double work_lost = 0;
};
struct JobFinished {
    JobId job;
    double work_done = 0;
};
/// A user withdraws a job, waiting or running; its GPUs are free at once.
struct JobCancelled {
    JobId job;
    double work_done = 0;
};
/// GPUs of one type come (+) or go (-): repairs, failures, spot, quotas. Where more go than are free, the scheduler stops the
/// jobs on that type that were launched last.
struct CapacityChanged {
    GpuTypeId type;
    int delta = 0;
};
/// The time asked for by WakeAt has come.
struct TimerFired {};

using Event = std::variant<JobSubmitted, JobRunning, JobProgress, JobStopped, JobFinished, JobCancelled, CapacityChanged, TimerFired>;

/// Start a job that holds nothing. Its GPUs are its own from now on; it makes progress after `overhead`.
struct Launch {
    JobId job;
    Allocation allocation;
    Seconds overhead;
    bool restart = false;  ///< has run before: state must be loaded
};
/// Move a running job to other GPUs without stopping it. GPUs it gives up are free at once; with those it gains it goes on at its
/// old speed (limited to what it keeps) until JobRunning, after `overhead`.
struct Resize {
    JobId job;
    Allocation allocation;
    Seconds overhead;
};
enum class StopReason { kPreempted, kMigrating, kCapacityLost };
/// Checkpoint (for `overhead`, GPUs still held) and give back all GPUs; answered by JobStopped. With kCapacityLost there is no
/// time to checkpoint: the GPUs are gone already.
struct Stop {
    JobId job;
    Seconds overhead;
    StopReason reason = StopReason::kPreempted;
};
/// Send TimerFired at this time; replaces an earlier WakeAt.
struct WakeAt {
    SimTime time;
};

using Action = std::variant<Launch, Resize, Stop, WakeAt>;

}  // namespace medley
