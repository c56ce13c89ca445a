#pragma once
/// Policies that compute shares of time and realise them in rounds (Gavel; Narayanan et al., OSDI 2020).
///
/// When the set of jobs or the capacity changed, a share program says which share of time each job shall spend on each type. Every
/// round, the types are gone through in the cluster file's order, each handing its GPUs to the jobs with the highest priority
/// (round_accounts.h) that fit; ties: larger share, jobs that are there already, arrival. GPUs left over then go to jobs that
/// have no claim to them, so the policies are work conserving at round starts. A gang never spans types.
///
/// Differences from Gavel's simulator: among equal optima, the one with the most progress that moves the fewest jobs; shares are
/// recomputed at the first round after any change (there: at most every 1920 s); no GPU is ever kept for a job that will not be placed;
/// no share on types where a job cannot run; agnostic policies visit types in order too.
/// Every job with a positive share starts within a number of rounds proportional to (jobs present) / (its share).

#include <memory>
#include <span>
#include <vector>

#include "planner/policies/grouped_shares.h"
#include "planner/policies/round_accounts.h"
#include "planner/solvers/lp_solver.h"
#include "sched/policy.h"

namespace medley::planner {

/// Shares of time by job and type; every job's sum is at most 1. `homes` says where each job is or was last.
using ShareProgram = std::vector<std::vector<double>> (*)(const ClusterView& view, std::span<const JobId> jobs, const Homes& homes,
                                                          LpSolver& solver);

class TimeSharePolicy final : public Policy {
 public:
    TimeSharePolicy(PolicyTraits traits, ShareProgram program);
    const PolicyTraits& traits() const override { return traits_; }
    Decision decide(const ClusterView& view) override;

 private:
    bool shares_are_stale(const ClusterView& view);

    PolicyTraits traits_;
    ShareProgram program_;
    std::unique_ptr<LpSolver> solver_;
    RoundAccounts accounts_;
    std::vector<int> capacity_;  ///< that the shares were computed for
};

}  // namespace medley::planner
