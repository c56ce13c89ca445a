#include "io/report/gpu_lanes.h"

#include <algorithm>
#include <iterator>

namespace medley::io {

std::vector<LaneRun> GpuLanes::take(std::uint32_t lanes) {
    if (lanes == 0) { return {}; }
    if (const auto gap = best_gap(lanes); gap != gaps_.end()) { return {cut(gap, lanes)}; }
    if (used_ + lanes <= capacity_) { return {extend(lanes)}; }
    std::vector<LaneRun> runs;
    while (lanes > 0 && !gaps_.empty()) {
        runs.push_back(cut(gaps_.begin(), std::min(lanes, gaps_.begin()->second)));
        lanes -= runs.back().count;
    }
    if (lanes > 0) { runs.push_back(extend(lanes)); }
    return runs;
}

void GpuLanes::give_back(LaneRun run) {
    auto next = gaps_.upper_bound(run.first);
    if (next != gaps_.end() && next->first == run.first + run.count) {
        run.count += next->second;
        next = gaps_.erase(next);
    }
    if (next != gaps_.begin()) {
        const auto before = std::prev(next);
        if (before->first + before->second == run.first) {
            before->second += run.count;
            return;
        }
    }
    gaps_.emplace_hint(next, run.first, run.count);
}

std::map<std::uint32_t, std::uint32_t>::iterator GpuLanes::best_gap(std::uint32_t lanes) {
    auto best = gaps_.end();
    for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
        if (gap->second == lanes) { return gap; }
        if (gap->second > lanes && (best == gaps_.end() || gap->second < best->second)) { best = gap; }
    }
    return best;
}

LaneRun GpuLanes::cut(std::map<std::uint32_t, std::uint32_t>::iterator gap, std::uint32_t lanes) {
    const auto [first, count] = *gap;
    gaps_.erase(gap);
    if (count > lanes) { gaps_.emplace(first + lanes, count - lanes); }
    return {.first = first, .count = lanes};
}

LaneRun GpuLanes::extend(std::uint32_t lanes) {
    used_ += lanes;
    return {.first = used_ - lanes, .count = lanes};
}

}  // namespace medley::io
