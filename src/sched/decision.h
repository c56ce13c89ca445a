#pragma once
/// A policy's answer: only the changes it wants; a job not named keeps what it has.

#include <string>
#include <vector>

#include "core/ids.h"
#include "core/units.h"
#include "sched/allocation.h"

namespace medley {

struct Change {
    JobId job;
    Allocation target;  ///< empty = give everything back and wait
};

/// GPUs promised to a waiting job from `start` on (backfill, maintenance). Informational for the log and for users; the policy
/// itself must not start anything that would break it.
struct Reservation {
    JobId job;
    SimTime start;
    Allocation allocation;
};

struct Reason {
    JobId job;
    std::string text;
};

/// Requires: after all changes no type is used beyond its capacity, each job is named at most once and is present.
struct Decision {
    std::vector<Change> changes;
    std::vector<Reservation> reservations;
    std::vector<Reason> reasons;
    SimTime ask_again = kNever;  ///< ask at this time even if nothing happens before
};

}  // namespace medley
