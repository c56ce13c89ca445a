#include "planner/policies/free_profile.h"

#include <algorithm>

namespace medley::planner {

void FreeProfile::reset(SimTime now, int gpus) { steps_.assign(1, {.from = now, .free = gpus}); }

std::size_t FreeProfile::step_at(SimTime time) const {
    const auto later = std::upper_bound(steps_.begin(), steps_.end(), time, [](SimTime at, const Step& step) { return at < step.from; });
    return later == steps_.begin() ? 0 : static_cast<std::size_t>(later - steps_.begin()) - 1;
}

void FreeProfile::advance(SimTime now) {
    if (now <= steps_.front().from) { return; }
    const std::size_t current = step_at(now);
    steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(current));
    steps_.front().from = now;
}

// The step that begins exactly there, made by cutting one in two if need be.
std::size_t FreeProfile::cut_at(SimTime time) {
    const std::size_t index = step_at(time);
    if (steps_[index].from >= time) { return index; }
    steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(index) + 1, {.from = time, .free = steps_[index].free});
    return index + 1;
}

void FreeProfile::add(SimTime from, SimTime to, int gpus) {
    if (to <= std::max(from, begin()) || gpus == 0) { return; }
    const std::size_t first = cut_at(std::max(from, begin()));
    const std::size_t last = to == kNever ? steps_.size() : cut_at(to);
    for (std::size_t index = first; index < last; ++index) { steps_[index].free += gpus; }
    // Equal neighbours can only have arisen at the two ends.
    for (const std::size_t seam : {last, first}) {
        if (seam == 0 || seam >= steps_.size() || steps_[seam].free != steps_[seam - 1].free) { continue; }
        steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(seam));
    }
}

std::optional<SimTime> FreeProfile::earliest(const Query& query) const {
    SimTime start = std::max(query.from, begin());
    for (std::size_t index = step_at(start); index < steps_.size(); ++index) {
        if (start >= query.before) { return std::nullopt; }
        const bool last = index + 1 == steps_.size();
        if (steps_[index].free < query.gpus) {
            if (last) { return std::nullopt; }
            start = steps_[index + 1].from;
            continue;
        }
        if (last || query.span <= steps_[index + 1].from - start) { return start; }
    }
    return std::nullopt;
}

SimTime FreeProfile::free_since(SimTime until, int gpus) const {
    SimTime since = until;
    for (std::size_t index = step_at(until) + 1; index-- > 0;) {
        if (steps_[index].from >= until) { continue; }
        if (steps_[index].free < gpus) { break; }
        since = steps_[index].from;
    }
    return since;
}

}  // namespace medley::planner
