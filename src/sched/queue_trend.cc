#include "sched/queue_trend.h"

namespace medley {
namespace {

struct Line {
    double mean = 0;
    double rise = 0;  ///< from the first point to the last
};

Line fit(std::span<const QueuePoint> points) {
    const double count = static_cast<double>(points.size());
    double mean_time = 0;
    double mean_queue = 0;
    const auto at = [&](const QueuePoint& point) { return to_seconds(point.time - points.front().time).value; };
    for (const QueuePoint& point : points) {
        mean_time += at(point) / count;
        mean_queue += point.wanted_gpus / count;
    }
    double variance = 0;
    double covariance = 0;
    for (const QueuePoint& point : points) {
        const double offset = at(point) - mean_time;
        variance += offset * offset;
        covariance += offset * (point.wanted_gpus - mean_queue);
    }
    const double slope = variance > 0 ? covariance / variance : 0;
    return {.mean = mean_queue, .rise = slope * at(points.back())};
}

}  // namespace

bool queue_grows(std::span<const QueuePoint> arrivals, double cluster_gpus) {
    constexpr std::size_t kFewestArrivals = 20;
    if (arrivals.size() < kFewestArrivals || arrivals.back().wanted_gpus < cluster_gpus) { return false; }
    const Line line = fit(arrivals.subspan(arrivals.size() / 2));
    return line.rise > line.mean / 3;
}

}  // namespace medley
