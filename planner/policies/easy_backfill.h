#pragma once
/// EASY backfilling on declared wall times (Lifka 1995; Mu'alem and Feitelson 2001).

#include <memory>

#include "planner/policies/policy_options.h"
#include "sched/policy.h"

namespace medley::planner {

/// Jobs start in order of submission. The first without room gets a reservation: the type and time at which, by what the running
/// jobs' users declared, its gang will first be free (ties: the cluster file's order). Those behind it may start now if that
/// cannot delay it: on another type, or done by then, or on GPUs that it will not need. Each job takes the first type where this holds.
///
/// A running job past its declared time is expected to end at once. If wall times are true upper bounds, no reserved job starts later than
/// its first reservation says. A decision costs O(waiting x types + running on the reserved types).
std::unique_ptr<Policy> make_easy_backfill(PolicyTraits traits, const PolicyOptions& options);

}  // namespace medley::planner
