#include "planner/policies/grouped_shares.h"

#include <algorithm>
#include <map>
#include <utility>

#include "planner/policies/free_gpus.h"
#include "planner/policies/group_split.h"

namespace medley::planner {
namespace {

struct JobGroup {
    MaxMinGroup group;
    std::vector<std::size_t> members;  ///< positions in the list of jobs
    Homes homes;                       ///< of the members; empty = do not matter
};

std::vector<std::vector<std::size_t>> identical_jobs(const ClusterView& view, std::span<const JobId> jobs) {
    std::map<std::pair<std::uint32_t, double>, std::size_t> index;
    std::vector<std::vector<std::size_t>> groups;
    for (std::size_t position = 0; position < jobs.size(); ++position) {
        const JobBelief& job = view.job(jobs[position]);
        const auto [place, added] = index.try_emplace({job.kind, job.weight}, groups.size());
        if (added) { groups.emplace_back(); }
        groups[place->second].push_back(position);
    }
    return groups;
}

JobGroup make_group(const ClusterView& view, std::span<const JobId> jobs, std::vector<std::size_t> members, GainRule gain,
                    const Homes& homes) {
    const JobId first = jobs[members.front()];
    JobGroup made{.group = {.jobs = static_cast<int>(members.size()), .weight = view.job(first).weight, .gain = gain(view, first)},
                  .members = {},
                  .homes = {}};
    made.members = std::move(members);
    for (std::size_t type = 0; type < view.type_count(); ++type) { made.group.gpus.push_back(view.demand(first, GpuTypeId(type))); }
    if (homes.empty()) { return made; }
    made.group.at_home.assign(view.type_count(), 0);
    for (const std::size_t member : made.members) {
        made.homes.push_back(homes[member]);
        if (homes[member]) { ++made.group.at_home[homes[member]->index()]; }
    }
    return made;
}

bool can_run(const MaxMinGroup& group) {
    return std::any_of(group.gain.begin(), group.gain.end(), [](double gain) { return gain > 0; });
}

void hand_out(const JobGroup& group, const std::vector<double>& mean, std::vector<std::vector<double>>& shares) {
    if (group.homes.empty()) {
        for (const std::size_t member : group.members) { shares[member] = mean; }
        return;
    }
    std::vector<std::vector<double>> split = split_group(mean, group.group.gain, group.homes);
    for (std::size_t index = 0; index < split.size(); ++index) { shares[group.members[index]] = std::move(split[index]); }
}

}  // namespace

MaxMinShares max_min_shares(const ClusterView& view, std::span<const JobId> jobs, GainRule gain, const Homes& homes, LpSolver& solver) {
    std::vector<JobGroup> groups;
    for (std::vector<std::size_t>& members : identical_jobs(view, jobs)) {
        groups.push_back(make_group(view, jobs, std::move(members), gain, homes));
        if (!can_run(groups.back().group)) { groups.pop_back(); }
    }
    std::vector<MaxMinGroup> program;
    for (const JobGroup& each : groups) { program.push_back(each.group); }
    const MaxMinSolution solution =
        solve_max_min(program, capacities(view), homes.empty() ? TieBreak::kNone : TieBreak::kProgressThenHome, solver);
    MaxMinShares result{.value = solution.value,
                        .shares = std::vector<std::vector<double>>(jobs.size(), std::vector<double>(view.type_count(), 0.0))};
    for (std::size_t index = 0; index < groups.size(); ++index) { hand_out(groups[index], solution.shares[index], result.shares); }
    return result;
}

std::vector<double> gang_speeds(const ClusterView& view, JobId job) {
    std::vector<double> speeds(view.type_count(), 0.0);
    for (std::size_t index = 0; index < speeds.size(); ++index) {
        const GpuTypeId type(index);
        if (view.could_run_on(job, type)) { speeds[index] = view.speed(job, type, view.demand(job, type)).work_per_s; }
    }
    return speeds;
}

}  // namespace medley::planner
