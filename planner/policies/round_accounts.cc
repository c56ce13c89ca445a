#include "planner/policies/round_accounts.h"

#include <utility>

namespace medley::planner {

void RoundAccounts::settle(const ClusterView& view, std::span<const JobId> jobs) {
    for (const JobId job : view.departed()) { accounts_.erase(job); }
    const double elapsed_s = to_seconds(view.now() - settled_).value;
    settled_ = view.now();
    const std::vector<double> none(view.type_count(), 0.0);
    for (const JobId job : jobs) {
        Account& account = accounts_.try_emplace(job, Account{.share = none, .entitled_s = none, .received_s = none}).first->second;
        for (std::size_t type = 0; type < none.size(); ++type) { account.entitled_s[type] += account.share[type] * elapsed_s; }
        const double held_s = view.held_seconds(job).value;
        if (account.served) { account.received_s[account.served->index()] += held_s - account.held_s; }
        account.held_s = held_s;
    }
}

void RoundAccounts::set_shares(std::span<const JobId> jobs, std::vector<std::vector<double>> shares) {
    for (std::size_t index = 0; index < jobs.size(); ++index) { accounts_.at(jobs[index]).share = std::move(shares[index]); }
}

void RoundAccounts::note_service(JobId job, std::optional<GpuTypeId> type) {
    Account& account = accounts_.at(job);
    account.served = type;
    if (type) { account.home = type; }
}

std::vector<std::optional<GpuTypeId>> RoundAccounts::homes(std::span<const JobId> jobs) const {
    std::vector<std::optional<GpuTypeId>> homes;
    for (const JobId job : jobs) { homes.push_back(accounts_.at(job).home); }
    return homes;
}

double RoundAccounts::priority(JobId job, GpuTypeId type) const {
    const Account& account = accounts_.at(job);
    const double share = account.share[type.index()];
    if (share <= 0) { return 0; }
    return (half_round_s_ * share + account.entitled_s[type.index()]) / (half_round_s_ + account.received_s[type.index()]);
}

}  // namespace medley::planner
