#include "io/importers/capacity_timeline.h"

#include <algorithm>

namespace medley::io {

void CapacityTimeline::set(SimTime time, Name target, std::int64_t level) {
    std::vector<Level>& levels = levels_[target];
    if (!levels.empty() && levels.back().time == time) {
        levels.back().level = level;
    } else {
        levels.push_back({.time = time, .level = level});
    }
}

std::map<Name, std::int64_t> CapacityTimeline::most() const {
    std::map<Name, std::int64_t> most;
    for (const auto& [target, levels] : levels_) {
        for (const Level& level : levels) { most[target] = std::max(most[target], level.level); }
    }
    return most;
}

SimTime CapacityTimeline::begin() const {
    SimTime begin = kNever;
    for (const auto& [target, levels] : levels_) { begin = std::min(begin, levels.front().time); }
    return begin;
}

std::vector<CapacityRow> CapacityTimeline::rows() const {
    const std::map<Name, std::int64_t> most = this->most();
    const SimTime start = begin();
    std::vector<CapacityRow> rows;
    for (const auto& [target, levels] : levels_) {
        std::int64_t before = most.at(target);
        if (levels.front().time > start && before > 0) {  // not there until it is first spoken of
            rows.push_back({.time = SimTime{0}, .target = target, .delta = -before});
            before = 0;
        }
        for (const Level& level : levels) {
            if (level.level != before) { rows.push_back({.time = level.time - start, .target = target, .delta = level.level - before}); }
            before = level.level;
        }
    }
    std::stable_sort(rows.begin(), rows.end(), [](const CapacityRow& a, const CapacityRow& b) { return a.time < b.time; });
    return rows;
}

}  // namespace medley::io
