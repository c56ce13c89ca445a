#pragma once
/// What the Slurm policy keeps of each job, and the order of its queue.

#include <cstdint>

#include "planner/policies/slurm/job_priority.h"
#include "planner/policies/slurm/slurm_site.h"
#include "planner/policies/slurm/usage_limits.h"

namespace medley::planner {

struct SlurmJob {
    enum class State : std::uint8_t {
        kNotTakenIn,  ///< beyond a limit of submitted jobs
        kHeld,        ///< asks for what it can never get
        kWaiting,
        kSuspended,  ///< waits for its own nodes
        kRunning,
    };

    JobId id;
    State state = State::kWaiting;
    LimitSubject subject;
    PriorityFigures figures;
    std::uint32_t priority = 1;
    std::size_t partition = 0;
    std::int64_t tier = 1;
    const SlurmReservation* reservation = nullptr;  ///< where it wants to run
    SimTime eligible;                               ///< its age counts from here
    SimTime not_before{0};                          ///< after a requeue
    SimTime limit;                                  ///< wall time
    int cpus = 0;
    int stated_nodes = 0;
    Name array;
    std::int64_t array_limit = 0;  ///< 0 = none
    double billing = 1;            ///< usage a second

    GpuTypeId type;          ///< running or suspended: where
    SimTime start;           ///< running: since when
    SimTime charged;         ///< running: usage is recorded up to here
    Placement suspended_on;  ///< its nodes

    const char* reason = nullptr;  ///< last reported
    SimTime announced = kNever;    ///< planned start, as last reported
};

/// Slurm's order: jobs in a reservation, then by tier, by priority, by id.
inline bool goes_before(const SlurmJob* a, const SlurmJob* b) {
    const bool a_reserved = a->reservation != nullptr;
    const bool b_reserved = b->reservation != nullptr;
    if (a_reserved != b_reserved) { return a_reserved; }
    if (a->tier != b->tier) { return a->tier > b->tier; }
    if (a->priority != b->priority) { return a->priority > b->priority; }
    return a->id < b->id;
}

}  // namespace medley::planner
