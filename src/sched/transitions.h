#pragma once
/// From what a job holds to what it shall hold: which step comes next, and what it costs. The one place where transitions are charged.

#include "core/units.h"
#include "sched/allocation.h"
#include "sched/scheduler.h"
#include "sched/scheduler_state.h"

namespace medley {

enum class Step {
    kNone,     ///< there already
    kWait,     ///< a step under way must be completed first
    kLaunch,   ///< holds nothing: launch on the target
    kStop,     ///< give everything back (for good, or to go to types it shares nothing with)
    kRelease,  ///< give up what the target lacks, before the rest of a resize
    kResize,   ///< from a part of the target to the whole of it
};

/// The next step; pure. A launch or resize under way is only ever interrupted by a stop. Giving GPUs up never waits for gains, so
/// two jobs that exchange GPUs cannot block one another.
Step next_step(const JobRecord& job, bool target_available);

/// What a policy's change would cost in all: time with its GPUs but without progress (with old progress, in a resize).
Seconds transition_cost(const JobRecord& job, const Allocation& target, const TransitionCosts& costs);

/// Cost of a resize between two holdings that share a type: only gains cost anything.
Seconds resize_cost(const Allocation& held, const Allocation& target, const TransitionCosts& costs);

/// The part of `held` that `target` keeps.
Allocation common_part(const Allocation& held, const Allocation& target);

}  // namespace medley
