#include "planner/policies/time_share_policy.h"

#include <algorithm>
#include <utility>

#include "planner/policies/round_placement.h"
#include "planner/solvers/lp_solver_table.h"

namespace medley::planner {
namespace {

struct Pair {
    RoundCandidate candidate;
    double priority = 0;
    double share = 0;
    bool there = false;
};

bool is_served_before(const Pair& a, const Pair& b) {
    if (a.priority != b.priority) { return a.priority > b.priority; }
    if (a.share != b.share) { return a.share > b.share; }
    if (a.there != b.there) { return a.there; }
    return a.candidate.job < b.candidate.job;
}

/// Pairs with a claim first, type by type; then those without, for what is left over.
std::vector<RoundCandidate> in_order_of_service(const ClusterView& view, std::span<const JobId> jobs, const RoundAccounts& accounts) {
    std::vector<RoundCandidate> with_claim, without;
    for (std::size_t index = 0; index < view.type_count(); ++index) {
        const GpuTypeId type(index);
        std::vector<Pair> queue;
        for (std::size_t job = 0; job < jobs.size(); ++job) {
            if (!view.could_run_on(jobs[job], type)) { continue; }
            queue.push_back({.candidate = {.job = job, .type = type},
                             .priority = accounts.priority(jobs[job], type),
                             .share = accounts.share(jobs[job], type),
                             .there = view.held(jobs[job]).gpus_of(type) > 0});
        }
        std::sort(queue.begin(), queue.end(), is_served_before);
        for (const Pair& pair : queue) { (pair.priority > 0 ? with_claim : without).push_back(pair.candidate); }
    }
    with_claim.insert(with_claim.end(), without.begin(), without.end());
    return with_claim;
}

}  // namespace

TimeSharePolicy::TimeSharePolicy(PolicyTraits traits, ShareProgram program)
    : traits_(std::move(traits)), program_(program), solver_(make_lp_solver()), accounts_(traits_.default_round) {}

Decision TimeSharePolicy::decide(const ClusterView& view) {
    const std::vector<JobId> jobs = view.present();
    accounts_.settle(view, jobs);
    if (shares_are_stale(view)) { accounts_.set_shares(jobs, program_(view, jobs, accounts_.homes(jobs), *solver_)); }
    const std::vector<RoundCandidate> order = in_order_of_service(view, jobs, accounts_);
    FreeGpus free;
    free.reset_to_capacity(view);
    RoundPlaces places(jobs.size());
    place_greedily(view, jobs, order, free, places);
    std::vector<Allocation> targets;
    for (std::size_t index = 0; index < jobs.size(); ++index) {
        const auto type = places[index];
        accounts_.note_service(jobs[index], type);
        targets.push_back(type ? Allocation::of(*type, view.demand(jobs[index], *type)) : Allocation{});
    }
    const SimTime next_round = view.now() + to_sim_time(traits_.default_round);
    return {.changes = changes_to(view, jobs, std::move(targets)), .ask_again = jobs.empty() ? kNever : next_round};
}

bool TimeSharePolicy::shares_are_stale(const ClusterView& view) {
    const std::vector<int> before = std::exchange(capacity_, capacities(view));
    return before != capacity_ || !view.arrived().empty() || !view.departed().empty();
}

}  // namespace medley::planner
