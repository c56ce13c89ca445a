#include "planner/policies/srtf.h"

#include "core/error.h"
#include "planner/policies/gang_policy.h"
#include "planner/policies/remaining_time.h"

namespace medley::planner {
namespace {

Rank remaining(const ClusterView& view, JobId job) { return to_sim_time(remaining_time(view, job)).value; }

Rank remaining_on(const ClusterView& view, JobId job, GpuTypeId type) {
    const double speed = view.speed(job, type, view.demand(job, type)).work_per_s;
    MEDLEY_ASSERT(speed > 0);
    const double left = view.job(job).total_work.value() - view.work_done(job);
    return to_sim_time(Seconds{left / speed}).value;
}

}  // namespace

std::unique_ptr<Policy> make_srtf(PolicyTraits traits, const PolicyOptions&) {
    return std::make_unique<GangPolicy>(std::move(traits),
                                        GangRules{.rank = remaining, .rank_on = remaining_on, .ranks_age = true, .blocking = false});
}

}  // namespace medley::planner
