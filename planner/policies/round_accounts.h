#pragma once
/// What each job is entitled to and has received of each GPU type: the memory of Gavel's round-based mechanism.

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "sched/cluster_view.h"

namespace medley::planner {

/// Gavel serves the pair (job, type) with the highest x / f first, x being the job's share of time and f the time received since the
/// shares were last computed, plus half a round. Here both sides run over the job's whole life: priority = (half a round x present
/// share + time entitled to) / (half a round + time received). That is the same order while the shares stand, and it remembers what
/// a job is owed when they are recomputed: where jobs come and go every round, Gavel's fresh start would leave nothing but the order
/// of x, and small shares would starve.
///
/// Cost: O(jobs x types) a round. Thread rule: one thread.
class RoundAccounts {
 public:
    explicit RoundAccounts(Seconds round) : half_round_s_(round.value / 2) {}

    /// Books the time since the last call. `jobs` are those present, `departed` are forgotten.
    void settle(const ClusterView& view, std::span<const JobId> jobs);
    /// New shares of time, by job and type, from now on.
    void set_shares(std::span<const JobId> jobs, std::vector<std::vector<double>> shares);
    /// Where the job will be served in the coming round.
    void note_service(JobId job, std::optional<GpuTypeId> type);

    /// The type each job was served on last, if any.
    std::vector<std::optional<GpuTypeId>> homes(std::span<const JobId> jobs) const;

    double share(JobId job, GpuTypeId type) const { return accounts_.at(job).share[type.index()]; }
    /// Zero if the share is.
    double priority(JobId job, GpuTypeId type) const;

 private:
    struct Account {
        std::vector<double> share, entitled_s, received_s;  ///< by type
        double held_s = 0;
        std::optional<GpuTypeId> served, home;
    };

    double half_round_s_;
    SimTime settled_{0};
    std::unordered_map<JobId, Account> accounts_;
};

}  // namespace medley::planner
