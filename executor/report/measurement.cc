#include "executor/report/measurement.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace medley::executor {

double percentile(std::span<const double> sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(place));
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Measurement summarize(std::span<const double> values) {
    if (values.empty()) { return {}; }
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    return {.median = percentile(sorted, 0.5),
            .low = percentile(sorted, 0.1),
            .high = percentile(sorted, 0.9),
            .count = static_cast<int>(sorted.size())};
}

Measurement summarize_settled(std::span<const double> values, int warm_up) {
    if (values.empty()) { return {}; }
    return summarize(values.subspan(std::min(static_cast<std::size_t>(std::max(warm_up, 0)), values.size() - 1)));
}

LinkEstimate estimate_link(LinkPoint small, LinkPoint large) {
    const double extra_s = large.seconds - small.seconds;
    if (!(extra_s > 0)) { return {.latency_s = small.seconds, .bytes_per_s = large.bytes / large.seconds}; }
    const double rate = (large.bytes - small.bytes) / extra_s;
    return {.latency_s = std::max(0.0, small.seconds - small.bytes / rate), .bytes_per_s = rate};
}

}  // namespace medley::executor
