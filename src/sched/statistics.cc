#include "sched/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace medley {

std::optional<double> mean(const std::vector<double>& values) {
    if (values.empty()) { return std::nullopt; }
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> percentile(std::vector<double>& values, double percent) {
    if (values.empty()) { return std::nullopt; }
    const double rank = percent / 100 * static_cast<double>(values.size() - 1);
    const auto lower = values.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(values.begin(), lower, values.end());
    const double fraction = rank - std::floor(rank);
    if (fraction == 0) { return *lower; }
    const double upper = *std::min_element(lower + 1, values.end());
    return *lower + fraction * (upper - *lower);
}

std::optional<double> jain_index(const std::vector<double>& values) {
    double sum = 0;
    double squares = 0;
    for (const double value : values) {
        sum += value;
        squares += value * value;
    }
    if (squares == 0) { return std::nullopt; }
    return sum * sum / (static_cast<double>(values.size()) * squares);
}

}  // namespace medley
