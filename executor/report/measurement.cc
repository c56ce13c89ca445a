#include "executor/report/measurement.h"

#include <algorithm>
#include <vector>

#include "sched/statistics.h"

namespace medley::executor {

Measurement summarize(std::span<const double> values) {
    if (values.empty()) { return {}; }
    std::vector<double> all(values.begin(), values.end());
    return {
        .median = *percentile(all, 50), .low = *percentile(all, 10), .high = *percentile(all, 90), .count = static_cast<int>(all.size())};
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
