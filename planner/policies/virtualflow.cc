#include "planner/policies/virtualflow.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "planner/policies/free_gpus.h"
#include "planner/policies/mixed_top_up.h"
#include "planner/policies/round_placement.h"
#include "planner/solvers/lp_solver_table.h"

namespace medley::planner {
namespace {

std::vector<double> equal_share_gains(const ClusterView& view, JobId job) {
    std::vector<double> gains = gang_speeds(view, job);
    double sum = 0;
    for (const double speed : gains) { sum += speed; }
    if (sum <= 0) { return gains; }
    const double mean = sum / static_cast<double>(gains.size());
    for (std::size_t type = 0; type < gains.size(); ++type) {
        gains[type] *= view.demand(job, GpuTypeId(type)) / (view.job(job).weight * mean);
    }
    return gains;
}

struct Pair {
    RoundCandidate candidate;
    double priority = 0;
};

bool is_served_before(const Pair& a, const Pair& b) {
    if (a.priority != b.priority) { return a.priority > b.priority; }
    if (a.candidate.type != b.candidate.type) { return a.candidate.type < b.candidate.type; }
    return a.candidate.job < b.candidate.job;
}

class VirtualFlow final : public Policy {
 public:
    VirtualFlow(PolicyTraits traits, bool mixed) : traits_(std::move(traits)), mixed_(mixed), solver_(make_lp_solver()) {}
    const PolicyTraits& traits() const override { return traits_; }
    Decision decide(const ClusterView& view) override;

 private:
    struct Account {
        std::vector<double> share, received_s;  ///< by type, since the shares were computed
        double held_s = 0;
        std::optional<GpuTypeId> served;
    };

    void book_last_round(const ClusterView& view, std::span<const JobId> jobs);
    bool shares_are_stale(const ClusterView& view);
    void compute_shares(const ClusterView& view, std::span<const JobId> jobs);
    std::vector<RoundCandidate> in_order_of_service(const ClusterView& view, std::span<const JobId> jobs) const;
    std::vector<Allocation> allocate(const ClusterView& view, std::span<const JobId> jobs);
    std::vector<Allocation> mix_in_idle_types(const ClusterView& view, std::span<const JobId> jobs,
                                              std::span<const RoundCandidate> candidates, FreeGpus& free, const RoundPlaces& places);

    PolicyTraits traits_;
    bool mixed_;
    std::unique_ptr<LpSolver> solver_;
    MixedTopUp top_up_;
    std::unordered_map<JobId, Account> accounts_;
    std::vector<int> capacity_;
};

Decision VirtualFlow::decide(const ClusterView& view) {
    const std::vector<JobId> jobs = view.present();
    book_last_round(view, jobs);
    if (shares_are_stale(view)) { compute_shares(view, jobs); }
    Decision decision{.changes = changes_to(view, jobs, allocate(view, jobs))};
    if (!jobs.empty()) { decision.ask_again = view.now() + to_sim_time(traits_.default_round); }
    return decision;
}

void VirtualFlow::book_last_round(const ClusterView& view, std::span<const JobId> jobs) {
    for (const JobId job : view.departed()) { accounts_.erase(job); }
    for (const JobId job : jobs) {
        Account& account = accounts_[job];
        const double held_s = view.held_seconds(job).value;
        if (account.served) { account.received_s[account.served->index()] += held_s - account.held_s; }
        account.held_s = held_s;
    }
}

bool VirtualFlow::shares_are_stale(const ClusterView& view) {
    const std::vector<int> before = std::exchange(capacity_, capacities(view));
    return before != capacity_ || !view.arrived().empty() || !view.departed().empty();
}

void VirtualFlow::compute_shares(const ClusterView& view, std::span<const JobId> jobs) {
    MaxMinShares solution = virtualflow_shares(view, jobs, *solver_);
    for (std::size_t index = 0; index < jobs.size(); ++index) {
        Account& account = accounts_.at(jobs[index]);
        account.share = std::move(solution.shares[index]);
        account.received_s.assign(view.type_count(), 0.0);
    }
}

std::vector<RoundCandidate> VirtualFlow::in_order_of_service(const ClusterView& view, std::span<const JobId> jobs) const {
    std::vector<Pair> pairs;
    for (std::size_t job = 0; job < jobs.size(); ++job) {
        const Account& account = accounts_.at(jobs[job]);
        for (std::size_t type = 0; type < view.type_count(); ++type) {
            const double share = account.share[type];
            const double rounds = account.received_s[type] / traits_.default_round.value;
            const double priority = share == 0 ? 0 : rounds == 0 ? std::numeric_limits<double>::infinity() : share / rounds;
            pairs.push_back({.candidate = {.job = job, .type = GpuTypeId(type)}, .priority = priority});
        }
    }
    std::sort(pairs.begin(), pairs.end(), is_served_before);
    std::vector<RoundCandidate> candidates;
    for (const Pair& pair : pairs) { candidates.push_back(pair.candidate); }
    return candidates;
}

std::vector<Allocation> VirtualFlow::allocate(const ClusterView& view, std::span<const JobId> jobs) {
    const std::vector<RoundCandidate> candidates = in_order_of_service(view, jobs);
    FreeGpus free;
    free.reset_to_capacity(view);
    RoundPlaces places(jobs.size());
    place_greedily(view, jobs, candidates, free, places);
    std::vector<Allocation> targets(jobs.size());
    if (mixed_) {
        targets = mix_in_idle_types(view, jobs, candidates, free, places);
        place_greedily(view, jobs, candidates, free, places);  // a mix may leave some of the job's own type to smaller gangs
    }
    for (std::size_t index = 0; index < jobs.size(); ++index) {
        accounts_.at(jobs[index]).served = places[index];
        if (!places[index] || !targets[index].empty()) { continue; }
        targets[index] = Allocation::of(*places[index], view.demand(jobs[index], *places[index]));
    }
    return targets;
}

std::vector<Allocation> VirtualFlow::mix_in_idle_types(const ClusterView& view, std::span<const JobId> jobs,
                                                       std::span<const RoundCandidate> candidates, FreeGpus& free,
                                                       const RoundPlaces& places) {
    std::vector<MixedTopUp::Placed> placed;
    std::vector<std::size_t> positions;
    for (const RoundCandidate& candidate : candidates) {
        if (places[candidate.job] != candidate.type) { continue; }
        placed.push_back({.job = jobs[candidate.job], .type = candidate.type, .gpus = view.demand(jobs[candidate.job], candidate.type)});
        positions.push_back(candidate.job);
    }
    std::vector<int> idle = capacity_;
    for (const MixedTopUp::Placed& each : placed) { idle[each.type.index()] = 0; }

    std::vector<Allocation> targets(jobs.size());
    std::vector<Allocation> allocations = top_up_.apply(view, placed, std::move(idle));
    for (std::size_t index = 0; index < placed.size(); ++index) {
        free.give_back(placed[index].type, placed[index].gpus);
        for (const Grant& grant : allocations[index].grants) { free.take(grant.type, grant.gpus); }
        targets[positions[index]] = std::move(allocations[index]);
    }
    return targets;
}

}  // namespace

MaxMinShares virtualflow_shares(const ClusterView& view, std::span<const JobId> jobs, LpSolver& solver) {
    return max_min_shares(view, jobs, equal_share_gains, {}, solver);
}

std::unique_ptr<Policy> make_virtualflow(PolicyTraits traits, const PolicyOptions& options) {
    return std::make_unique<VirtualFlow>(std::move(traits), options.is_true("mixed"));
}

}  // namespace medley::planner
