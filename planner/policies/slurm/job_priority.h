#pragma once
/// Slurm's multifactor priority of one job.

#include <cstdint>
#include <vector>

#include "core/site_rules.h"

namespace medley::planner {

/// What the factors of one job are made of.
struct PriorityFigures {
    Seconds waited;                                  ///< since it could have run
    double fair_share = 0;                           ///< factor, from FairShareTree
    double association = 0, qos = 0, partition = 0;  ///< factors: priority over the highest there is
    double nodes = 1, cluster_nodes = 1;
    double cpus = 1, cluster_cpus = 1;
    std::vector<double> resource_shares;  ///< of the partition's, by PriorityWeights::resources
};

/// In [0, 1]: grows with the mean of the shares of nodes and CPUs asked for, or, favouring small jobs, shrinks with it.
double job_size_factor(const PriorityFigures& figures, bool favor_small);

/// The weighted sum, rounded down, from 1 (0 is for held jobs) to 2^32 - 1; as in Slurm's documentation of priority/multifactor.
std::uint32_t job_priority(const PriorityFigures& figures, const PriorityRules& rules);

/// What recorded usage is multiplied with over a span: Slurm's decay per second is 1 - ln 2 / half-life, with 0.693 for ln 2.
double usage_decay(Seconds half_life, Seconds span);

}  // namespace medley::planner
