#include "planner/policies/slurm/job_priority.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace medley::planner {

double job_size_factor(const PriorityFigures& figures, bool favor_small) {
    const double nodes = figures.nodes / figures.cluster_nodes;
    const double cpus = figures.cpus / figures.cluster_cpus;
    const double size = favor_small ? ((1 - nodes) + (1 - cpus)) / 2 : (nodes + cpus) / 2;
    return std::clamp(size, 0.0, 1.0);
}

std::uint32_t job_priority(const PriorityFigures& figures, const PriorityRules& rules) {
    const PriorityWeights& weights = rules.weights;
    const double age = std::clamp(figures.waited / rules.max_age, 0.0, 1.0);
    double sum = weights.age * age + weights.association * figures.association + weights.fair_share * figures.fair_share +
                 weights.job_size * job_size_factor(figures, rules.favor_small) + weights.partition * figures.partition +
                 weights.qos * figures.qos;
    for (std::size_t index = 0; index < weights.resources.size() && index < figures.resource_shares.size(); ++index) {
        sum += weights.resources[index].weight * figures.resource_shares[index];
    }
    return static_cast<std::uint32_t>(std::clamp(sum, 1.0, static_cast<double>(std::numeric_limits<std::uint32_t>::max())));
}

double usage_decay(Seconds half_life, Seconds span) {
    constexpr double kSlurmsLogOf2 = 0.693;
    if (half_life.value <= 0) { return 1; }
    return std::pow(std::max(0.0, 1 - kSlurmsLogOf2 / half_life.value), span.value);
}

}  // namespace medley::planner
