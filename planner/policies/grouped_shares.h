#pragma once
/// From jobs to the max-min program over groups and back.

#include <optional>
#include <span>
#include <vector>

#include "planner/policies/max_min_program.h"
#include "sched/cluster_view.h"

namespace medley::planner {

/// What one job's objective gains were it to spend all its time on each type; 0 where it cannot run. Equal for jobs of one kind
/// and one weight.
using GainRule = std::vector<double> (*)(const ClusterView& view, JobId job);

/// Where each job would rather stay: the type it is on, or was on last.
using Homes = std::vector<std::optional<GpuTypeId>>;

struct MaxMinShares {
    double value = 0;                         ///< the optimal t; 0 if no job can run anywhere
    std::vector<std::vector<double>> shares;  ///< by job, by type
};

/// Jobs of one kind and weight form a group. With `homes` (one a job), ties are broken by progress and homes and a group's time is split so
/// that few jobs have several types (group_split.h); without (empty), the solver's vertex is taken and split evenly. Jobs that can run
/// nowhere at the present capacity get no shares and do not count.
MaxMinShares max_min_shares(const ClusterView& view, std::span<const JobId> jobs, GainRule gain, const Homes& homes, LpSolver& solver);

/// The job's speed on its gang by type (work per second), 0 where it cannot run at the present capacity.
std::vector<double> gang_speeds(const ClusterView& view, JobId job);

}  // namespace medley::planner
