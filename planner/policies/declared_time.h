#pragma once
/// When a job is over by what its user declared.

#include "core/units.h"

namespace medley::planner {

/// `now` plus a span, rounded up as the end of a job is; kNever where it does not fit.
inline SimTime after(SimTime now, Seconds seconds) {
    const SimTime span = to_sim_time_up(seconds);
    return span.value > kNever.value - now.value ? kNever : now + span;
}

}  // namespace medley::planner
