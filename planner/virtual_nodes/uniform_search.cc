#include "planner/virtual_nodes/uniform_search.h"

#include <algorithm>
#include <queue>

#include "planner/virtual_nodes/uniform_cover.h"

namespace medley::planner {
namespace {

constexpr std::int64_t kQuickSteps = 20'000;
constexpr std::int64_t kMostSteps = 2'000'000;

std::vector<double> thresholds_of(const Problem& problem) {
    std::vector<double> times;
    for (const TypeOffer& type : problem.types) {
        for (const UniformBatch& batch : type.uniform) {
            if (type.usable()) { times.push_back(batch.seconds); }
        }
    }
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

/// Thresholds from position `first` to `last` in one region.
struct Interval {
    double bound;
    std::size_t first;
    std::size_t last;
    std::size_t region;
    bool exact;  ///< bounded by exact completions at `last`

    bool operator>(const Interval& other) const {
        if (bound != other.bound) { return bound > other.bound; }
        return first != other.first ? first > other.first : region > other.region;
    }
};

class UniformSearch {
 public:
    UniformSearch(const Problem& problem, double limit) : problem_(problem), limit_(limit), thresholds_(thresholds_of(problem)) {}

    Solution run() {
        std::vector<Interval> singles = bounded_singles();
        if (!problem_.exact_sum) {
            // Any cover will do, and the first has the least value.
            if (!singles.empty()) { best_.value = best_.bound = singles.front().bound; }
            return std::move(best_);
        }
        if (!search_quickly(singles)) { search_exactly(); }
        best_.bound = std::min(best_.value, unresolved_);
        return std::move(best_);
    }

 private:
    UniformCover cover(std::size_t region, std::size_t threshold) const {
        return UniformCover(problem_, problem_.regions[region], thresholds_[threshold]);
    }

    std::vector<Interval> bounded_singles() const {
        std::vector<Interval> singles;
        for (std::size_t index = 0; index < thresholds_.size(); ++index) {
            for (std::size_t region = 0; region < problem_.regions.size(); ++region) {
                const double bound = cover(region, index).bound();
                if (bound < kNoValue) {
                    singles.push_back({.bound = bound, .first = index, .last = index, .region = region, .exact = false});
                }
            }
        }
        std::stable_sort(singles.begin(), singles.end(), [](const Interval& a, const Interval& b) { return a.bound < b.bound; });
        return singles;
    }

    /// Mostly a few steps settle each threshold. False if one needs more.
    bool search_quickly(const std::vector<Interval>& singles) {
        for (const Interval& single : singles) {
            if (out_of_reach(single)) { return true; }
            UniformCover at = cover(single.region, single.first);
            if (!at.search(limit_at(single), kQuickSteps)) { return false; }
            take(at, single);
        }
        return true;
    }

    /// Best-first over intervals of thresholds, bounded by what completes the batch exactly at their greatest threshold.
    void search_exactly() {
        std::priority_queue<Interval, std::vector<Interval>, std::greater<>> open;
        for (std::size_t region = 0; region < problem_.regions.size(); ++region) {
            open.push({.bound = 0, .first = 0, .last = thresholds_.size() - 1, .region = region, .exact = false});
        }
        while (!open.empty() && !out_of_reach(open.top())) {
            const Interval next = open.top();
            open.pop();
            if (next.exact && next.first == next.last) {
                settle(next);
            } else {
                refine(open, next);
            }
        }
    }

    template <class Queue>
    void refine(Queue& open, Interval interval) {
        if (!interval.exact) {
            UniformCover at = cover(interval.region, interval.last);
            if (at.complete_exactly() == kNoValue) { return; }
            interval.bound = std::max(interval.bound, at.bound_at(thresholds_[interval.first]));
            interval.exact = true;
            open.push(interval);
            return;
        }
        const std::size_t middle = interval.first + (interval.last - interval.first) / 2;
        open.push({.bound = interval.bound, .first = interval.first, .last = middle, .region = interval.region, .exact = false});
        interval.first = middle + 1;
        open.push(interval.first == interval.last ? exact_single(interval) : interval);
    }

    Interval exact_single(Interval interval) const {
        UniformCover at = cover(interval.region, interval.last);
        interval.bound = std::max(interval.bound, at.complete_exactly());
        return interval;
    }

    void settle(const Interval& interval) {
        UniformCover at = cover(interval.region, interval.first);
        const double bound = at.complete_exactly();
        const bool finished = at.search(limit_at(interval), kMostSteps);
        if (!finished && !(at.found() && at.value() <= bound * (1 + kTie))) { unresolved_ = std::min(unresolved_, interval.bound); }
        take(at, interval);
    }

    bool out_of_reach(const Interval& interval) const { return interval.bound > std::min(limit_, best_.value) * (1 + kTie); }

    /// Equal values count only at a smaller threshold.
    double limit_at(const Interval& interval) const {
        if (!best_.found()) { return limit_; }
        const bool faster = thresholds_[interval.first] < best_.threshold * (1 - kTie);
        return best_.value * (faster ? 1 + kTie : 1 - kTie);
    }

    void take(const UniformCover& at, const Interval& interval) {
        if (!at.found()) { return; }
        best_.value = at.value();
        best_.threshold = thresholds_[interval.first];
        at.write(best_);
    }

    const Problem& problem_;
    double limit_;
    std::vector<double> thresholds_;
    Solution best_;
    double unresolved_ = kNoValue;
};

}  // namespace

Solution search_uniform(const Problem& problem, double limit) { return UniformSearch(problem, limit).run(); }

}  // namespace medley::planner
