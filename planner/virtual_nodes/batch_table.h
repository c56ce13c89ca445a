#pragma once
/// The least time in which one GPU of a type works off a batch of exactly b units, for every b: c(b) = min over profiled sizes s of
/// c(b - s) + t(s), c(0) = 0 (the unbounded coin problem).
///
/// Sizes and batches are in units (samples, or the sizes' common divisor). The table grows on demand: c(b) >= b x the best
/// seconds a unit, so batches that take at most T lie below T / best. Cost: O(length x sizes), then O(log length) a question.
/// Thread rule: one thread at a time.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace medley::planner {

/// One profiled virtual-node size of a type.
struct TimedSize {
    std::int64_t size = 1;
    double seconds = 0;
};

class BatchTable {
 public:
    static constexpr double kNever = std::numeric_limits<double>::infinity();

    /// Sizes in any order, each once; none = the type can run nothing.
    explicit BatchTable(std::vector<TimedSize> sizes);

    bool usable() const { return !sizes_.empty(); }
    double best_seconds_per_unit() const { return best_rate_; }
    const std::vector<TimedSize>& sizes() const { return sizes_; }
    std::int64_t smallest() const { return smallest_; }
    /// Of all sizes, and so of every batch.
    std::int64_t common_divisor() const { return divisor_; }

    /// Afterwards all batches up to `longest` that take at most `seconds` are known.
    void cover(double seconds, std::int64_t longest);

    /// Is every batch up to this one known?
    bool knows(std::int64_t batch) const { return batch <= length(); }

    /// kNever if no sizes add up to the batch. Requires a batch that `cover` reached.
    double seconds(std::int64_t batch) const { return seconds_[static_cast<std::size_t>(batch)]; }
    /// Can it be done, and within this time? False beyond the table.
    bool within(std::int64_t batch, double limit) const { return batch <= length() && seconds(batch) <= limit; }
    /// The largest batch that takes at most `limit`; 0 if none. Requires a limit that `cover` reached.
    std::int64_t largest_within(double limit) const;
    /// All known times above 0, ascending.
    std::span<const double> times() const { return times_; }
    /// Sizes of a fastest composition, descending. Requires seconds(batch) < kNever.
    std::vector<std::int64_t> compose(std::int64_t batch) const;

 private:
    std::int64_t length() const { return static_cast<std::int64_t>(seconds_.size()) - 1; }
    void extend(std::int64_t length);

    std::vector<TimedSize> sizes_;  ///< ascending
    double best_rate_ = kNever;
    std::int64_t smallest_ = 0;
    std::int64_t divisor_ = 0;
    std::vector<double> seconds_{0.0};
    std::vector<double> least_from_;  ///< least_from_[b] = min of seconds_[b..], so never falling
    std::vector<double> times_;
};

}  // namespace medley::planner
