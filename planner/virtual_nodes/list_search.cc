#include "planner/virtual_nodes/list_search.h"

#include <algorithm>

#include "planner/virtual_nodes/threshold_search.h"

namespace medley::planner {
namespace {

constexpr double kProved = 1e-9;

Problem with_free_sizes(Problem problem) {
    problem.list.clear();
    return problem;
}

Problem with_list_times(Problem problem) {
    for (TypeOffer& type : problem.types) { type.list_times = std::make_shared<ListTimes>(problem.list, type.class_seconds); }
    return problem;
}

double seconds_of(const TypeOffer& type, const Load& load) {
    double sum = 0;
    for (std::size_t index = 0; index < load.size(); ++index) {
        if (load[index] > 0) { sum += type.class_seconds[index] * load[index]; }
    }
    return sum;
}

/// What loads amount to; idle GPUs are not counted.
Solution valued(const Problem& problem, Packed packed) {
    Solution solution{.counts = std::vector<int>(packed.size(), 0), .batches = {}, .packed = {}};
    solution.packed = std::move(packed);
    int gpus = 0;
    double weight = 0;
    for (std::size_t type = 0; type < solution.packed.size(); ++type) {
        for (const Load& load : solution.packed[type]) {
            const double seconds = seconds_of(problem.types[type], load);
            if (seconds == 0) { continue; }
            solution.threshold = std::max(solution.threshold, seconds);
            ++solution.counts[type];
            ++gpus;
            weight += problem.types[type].weight;
        }
    }
    const bool type_missing = problem.every_type && std::count(solution.counts.begin(), solution.counts.end(), 0) > 0;
    for (const Region& region : problem.regions) {
        const bool inside = std::equal(solution.counts.begin(), solution.counts.end(), region.most.begin(), std::less_equal<>());
        if (inside && gpus > 0 && !type_missing) {
            solution.value = std::min(solution.value, problem.value(region, solution.threshold, gpus, weight));
        }
    }
    return solution;
}

/// Counts worth a greedy try: what free sizes would use, everything, and powers of two of each type.
std::vector<std::vector<int>> promising_counts(const Problem& problem, const Solution& free) {
    std::vector<int> all;
    for (const TypeOffer& type : problem.types) { all.push_back(type.gpus); }
    std::vector<std::vector<int>> tries{all};
    if (free.found()) { tries.insert(tries.begin(), free.counts); }
    for (std::size_t type = 0; problem.weighted && type < all.size(); ++type) {
        for (int gpus = 1; gpus <= all[type]; gpus *= 2) {
            tries.emplace_back(all.size(), 0);
            tries.back()[type] = gpus;
        }
    }
    return tries;
}

}  // namespace

Solution search_list(const Problem& problem, double limit) {
    const Solution free = search_thresholds(with_free_sizes(problem), limit);
    if (free.bound == kNoValue) { return Solution{}; }
    Solution best;
    for (const std::vector<int>& counts : promising_counts(problem, free)) {
        Packed packed = pack_greedily(problem, counts);
        if (packed.empty()) { continue; }
        Solution tried = valued(problem, std::move(packed));
        if (tried.value <= limit && tried.value < best.value) { best = std::move(tried); }
        if (best.found() && best.value <= free.bound * (1 + kProved)) { break; }
    }
    best.bound = best.value;
    if (best.found() && best.value <= free.bound * (1 + kProved)) { return best; }
    Solution searched = search_thresholds(with_list_times(problem), std::min(limit, best.value));
    const double bound = std::max(free.bound, std::min(searched.bound, best.value));
    if (searched.value <= best.value) { best = std::move(searched); }
    best.bound = std::min(bound, best.value);
    return best;
}

}  // namespace medley::planner
