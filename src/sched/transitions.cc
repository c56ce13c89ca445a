#include "sched/transitions.h"

#include <algorithm>

namespace medley {
namespace {

bool stays(const Allocation& held, const Allocation& target) { return held.shares_a_type_with(target); }

bool same_plan(const Allocation& a, const Allocation& b) { return a.plan == b.plan || (a.plan && b.plan && *a.plan == *b.plan); }

bool gains(const Allocation& held, const Allocation& target) {
    return std::any_of(target.grants.begin(), target.grants.end(),
                       [&](const Grant& grant) { return grant.gpus > held.gpus_of(grant.type); });
}

}  // namespace

Allocation common_part(const Allocation& held, const Allocation& target) {
    Allocation kept;
    for (const Grant& grant : held.grants) {
        const int gpus = std::min(grant.gpus, target.gpus_of(grant.type));
        if (gpus > 0) { kept.grants.push_back({.type = grant.type, .gpus = gpus}); }
    }
    return kept;
}

Step next_step(const JobRecord& job, bool target_available) {
    const Allocation& held = job.held;
    const Allocation& target = job.target;
    if (job.phase == JobPhase::kStopping) { return Step::kWait; }
    if (held.empty()) { return target.empty() ? Step::kNone : target_available ? Step::kLaunch : Step::kWait; }
    if (!stays(held, target)) { return Step::kStop; }
    if (held.same_gpus(target) && same_plan(held, target)) { return Step::kNone; }
    if (job.in_flight) { return Step::kWait; }
    if (target_available) { return Step::kResize; }
    return common_part(held, target).same_gpus(held) ? Step::kWait : Step::kRelease;
}

Seconds transition_cost(const JobRecord& job, const Allocation& target, const TransitionCosts& costs) {
    const Allocation& held = job.target;
    if (target.empty()) { return held.empty() ? Seconds{0} : costs.checkpoint; }
    if (held.empty()) { return job.launched_before ? costs.restart : costs.startup; }
    if (!stays(held, target)) { return costs.checkpoint + costs.restart; }
    return resize_cost(held, target, costs);
}

Seconds resize_cost(const Allocation& held, const Allocation& target, const TransitionCosts& costs) {
    return gains(held, target) ? costs.resize : Seconds{0};
}

}  // namespace medley
