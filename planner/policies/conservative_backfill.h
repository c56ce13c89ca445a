#pragma once
/// Conservative backfilling on declared wall times (Mu'alem and Feitelson 2001): every waiting job has a reservation.

#include <memory>

#include "core/site_rules.h"
#include "planner/policies/policy_options.h"
#include "sched/policy.h"

namespace medley::planner {

/// A job that arrives is booked at the first time at which its gang will be free for as long as it declared, beside all that is booked
/// already (ties between types: the cluster file's order). When a job ends before its time, waiting jobs are moved forward one by one in
/// order of submission, each into the first room that it finds; nobody is ever moved back. If wall times are true upper bounds and no
/// capacity is lost, no job starts later than its first reservation says. A running job past its time is given as long again as it
/// has overrun, at least a second.
///
/// Site reservations are kept free for those who may use them; a job that names one it may use waits for it, until it is over.
/// Cost: O(steps of the profile) a booking; an early end costs O(waiting) beyond the bookings moved.
std::unique_ptr<Policy> make_conservative_backfill(PolicyTraits traits, const PolicyOptions& options, const SiteRules& rules);

}  // namespace medley::planner
