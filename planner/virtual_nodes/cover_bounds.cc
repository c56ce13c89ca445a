#include "planner/virtual_nodes/cover_bounds.h"

#include <algorithm>

namespace medley::planner {
namespace {

std::int64_t divide_up(std::int64_t value, std::int64_t divisor) { return (value + divisor - 1) / divisor; }

}  // namespace

CoverBounds::CoverBounds(const Problem& problem, const Region& region, double threshold, std::span<const std::int64_t> largest)
    : problem_(problem), region_(region), threshold_(threshold), constant_(region.constant()) {
    for (std::size_t type = 0; type < problem.types.size(); ++type) {
        if (largest[type] == 0 || region.most[type] == 0) { continue; }
        const double weight = problem.weighted ? problem.types[type].weight : 1.0;
        items_.push_back(Item{.type = type, .capacity = largest[type], .weight = weight, .most = region.most[type]});
    }
    std::stable_sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
        return static_cast<double>(a.capacity) * b.weight > static_cast<double>(b.capacity) * a.weight;
    });
    capacity_from_.assign(items_.size() + 1, 0);
    largest_from_.assign(items_.size() + 1, 0);
    for (std::size_t depth = items_.size(); depth-- > 0;) {
        capacity_from_[depth] = capacity_from_[depth + 1] + items_[depth].capacity * items_[depth].most;
        largest_from_[depth] = std::max(largest_from_[depth + 1], items_[depth].capacity);
    }
}

double CoverBounds::value(std::size_t depth, const Partial& partial) const {
    const int gpus = constant_ ? 1 : fewest_gpus(depth, partial);
    return problem_.value(region_, threshold_, gpus, problem_.weighted ? least_weight(depth, partial) : 1.0);
}

double CoverBounds::least_weight(std::size_t depth, const Partial& partial) const {
    double weight = partial.weight;
    std::int64_t left = partial.left;
    for (; depth < items_.size() && left > 0; ++depth) {
        const Item& item = items_[depth];
        const std::int64_t capacity = item.capacity * item.most;
        if (capacity >= left) { return weight + item.weight * static_cast<double>(left) / static_cast<double>(item.capacity); }
        weight += item.weight * item.most;
        left -= capacity;
    }
    return weight;
}

/// Unweighted items stand by capacity, so taking them in order is exact; else the largest of the rest gives a bound.
int CoverBounds::fewest_gpus(std::size_t depth, const Partial& partial) const {
    std::int64_t left = partial.left;
    std::int64_t gpus = partial.gpus;
    if (left <= 0) { return partial.gpus; }
    if (problem_.weighted) { return static_cast<int>(gpus + divide_up(left, largest_from_[depth])); }
    for (; depth < items_.size() && left > 0; ++depth) {
        const std::int64_t taken = std::min<std::int64_t>(items_[depth].most, divide_up(left, items_[depth].capacity));
        gpus += taken;
        left -= taken * items_[depth].capacity;
    }
    return static_cast<int>(gpus);
}

}  // namespace medley::planner
