#pragma once
/// When a pass that comes round every `interval`, the first at `offset`, falls.

#include "core/units.h"

namespace medley::planner {

/// The first pass after `now`.
inline SimTime next_multiple(SimTime now, Seconds offset, Seconds interval) {
    const SimTime step = to_sim_time(interval);
    const std::int64_t since = now.value - to_sim_time(offset).value;
    const std::int64_t past = since % step.value;
    return SimTime{now.value - (past < 0 ? past + step.value : past) + step.value};
}

/// Does one fall at `now`?
inline bool is_multiple(SimTime now, Seconds offset, Seconds interval) {
    return (now.value - to_sim_time(offset).value) % to_sim_time(interval).value == 0;
}

}  // namespace medley::planner
