#include "planner/virtual_nodes/cover.h"

#include <algorithm>

namespace medley::planner {

CoverResult Cover::run(const CountsTest* test, double limit, CoverLimits limits) {
    test_ = test;
    unknown_ = false;
    left_ = limits;
    counts_.assign(problem_.types.size(), 0);
    best_ = CoverResult{.value = limit, .gpus = std::numeric_limits<int>::max()};
    Partial nothing;
    nothing.left = problem_.batch;
    const bool missing_type = problem_.every_type && bounds_.size() < problem_.types.size();
    const bool enough = bounds_.capacity_from(0) >= problem_.batch && !missing_type;
    const double root = enough ? bounds_.value(0, nothing) : kNoValue;
    if (enough && promising(0, nothing)) { descend(0, nothing); }
    if (best_.counts.empty()) { best_.value = kNoValue; }
    best_.complete = best_.complete && !unknown_;
    best_.bound = best_.complete ? best_.value : root;
    return std::move(best_);
}

void Cover::descend(std::size_t depth, const Partial& partial) {
    if (left_.nodes-- <= 0) {
        best_.complete = false;
        return;
    }
    if (depth == bounds_.size() || (partial.left <= 0 && test_ == nullptr)) {
        consider(partial);
        return;
    }
    const CoverBounds::Item& item = bounds_.item(depth);
    const std::int64_t needed = partial.left <= 0 ? 0 : (partial.left + item.capacity - 1) / item.capacity;
    const int enough = static_cast<int>(std::min<std::int64_t>(needed, item.most));
    try_fewer(depth, partial, enough);
    if (test_ != nullptr) { try_more(depth, partial, enough + 1); }
}

/// Once the bound of counts without overshoot is too high it stays so; with overshoot, one GPU fewer may be cheaper.
void Cover::try_fewer(std::size_t depth, const Partial& partial, int from) {
    const int least = problem_.every_type ? 1 : 0;
    for (int count = from; count >= least && best_.complete; --count) {
        const Partial next = with(depth, partial, count);
        if (next.left > bounds_.capacity_from(depth + 1)) { break; }
        if (test_ != nullptr && next.floor > problem_.batch) { continue; }
        if (promising(depth + 1, next)) {
            enter(depth, next, count);
        } else if (bounds_.grows_with_fewer() && next.left >= 0) {
            break;
        }
    }
}

/// More GPUs than cover the batch may be needed to reach it exactly; each one makes the value worse or equal.
void Cover::try_more(std::size_t depth, const Partial& partial, int from) {
    for (int count = from; count <= bounds_.item(depth).most && best_.complete; ++count) {
        const Partial next = with(depth, partial, count);
        if (next.floor > problem_.batch || !promising(depth + 1, next)) { break; }
        enter(depth, next, count);
    }
}

Cover::Partial Cover::with(std::size_t depth, const Partial& partial, int count) const {
    const CoverBounds::Item& item = bounds_.item(depth);
    Partial next = partial;
    next.left -= item.capacity * count;
    next.floor += problem_.types[item.type].table->smallest() * count;
    next.gpus += count;
    next.weight += item.weight * count;
    return next;
}

void Cover::enter(std::size_t depth, const Partial& next, int count) {
    const std::size_t type = bounds_.item(depth).type;
    counts_[type] = count;
    descend(depth + 1, next);
    counts_[type] = 0;
}

void Cover::consider(const Partial& partial) {
    if (test_ != nullptr) {
        if (left_.tests-- <= 0) {
            best_.complete = false;
            return;
        }
        const Verdict verdict = (*test_)(counts_);
        unknown_ = unknown_ || verdict == Verdict::kUnknown;
        if (verdict != Verdict::kYes) { return; }
    }
    best_.value = bounds_.value_of(partial);
    best_.gpus = partial.gpus;
    best_.counts = counts_;
}

bool Cover::promising(std::size_t depth, const Partial& partial) const {
    const double least = bounds_.value(depth, partial);
    if (least < best_.value) { return true; }
    return test_ != nullptr && least == best_.value && bounds_.fewest_gpus(depth, partial) < best_.gpus;
}

}  // namespace medley::planner
