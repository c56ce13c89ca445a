#include "planner/virtual_nodes/batch_table.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "core/error.h"

namespace medley::planner {

BatchTable::BatchTable(std::vector<TimedSize> sizes) : sizes_(std::move(sizes)) {
    std::sort(sizes_.begin(), sizes_.end(), [](const TimedSize& a, const TimedSize& b) { return a.size < b.size; });
    for (const TimedSize& size : sizes_) {
        best_rate_ = std::min(best_rate_, size.seconds / static_cast<double>(size.size));
        divisor_ = std::gcd(divisor_, size.size);
    }
    if (usable()) { smallest_ = sizes_.front().size; }
    least_from_ = seconds_;
}

void BatchTable::cover(double seconds, std::int64_t longest) {
    if (!usable()) { return; }
    // One unit more than needed: the division may round down.
    const double wanted = std::floor(seconds / best_rate_) + 1;
    const std::int64_t target = wanted >= static_cast<double>(longest) ? longest : static_cast<std::int64_t>(wanted);
    if (target > length()) { extend(std::min(longest, std::max(target, 2 * length()))); }
}

void BatchTable::extend(std::int64_t length) {
    const std::size_t known = seconds_.size();
    const auto end = static_cast<std::size_t>(length) + 1;
    seconds_.resize(end, kNever);
    for (std::size_t batch = known; batch < end; ++batch) {
        double least = kNever;
        for (const TimedSize& size : sizes_) {
            const auto step = static_cast<std::size_t>(size.size);
            if (step > batch) { break; }
            least = std::min(least, seconds_[batch - step] + size.seconds);
        }
        seconds_[batch] = least;
    }
    least_from_ = seconds_;
    for (std::size_t batch = end - 1; batch-- > 0;) { least_from_[batch] = std::min(least_from_[batch], least_from_[batch + 1]); }
    std::vector<double> added(seconds_.begin() + static_cast<std::ptrdiff_t>(known), seconds_.end());
    std::sort(added.begin(), added.end());
    added.erase(std::unique(added.begin(), added.end()), added.end());
    if (!added.empty() && added.back() == kNever) { added.pop_back(); }
    std::vector<double> merged;
    merged.reserve(times_.size() + added.size());
    std::set_union(times_.begin(), times_.end(), added.begin(), added.end(), std::back_inserter(merged));
    times_ = std::move(merged);
}

std::int64_t BatchTable::largest_within(double limit) const {
    const auto above = std::upper_bound(least_from_.begin(), least_from_.end(), limit);
    return above == least_from_.begin() ? 0 : above - least_from_.begin() - 1;
}

std::vector<std::int64_t> BatchTable::compose(std::int64_t batch) const {
    MEDLEY_ASSERT(seconds(batch) < kNever);
    std::vector<std::int64_t> parts;
    while (batch > 0) {
        // The largest size that the recurrence could have used.
        const auto fits = [&](const TimedSize& size) {
            return size.size <= batch && seconds(batch - size.size) + size.seconds == seconds(batch);
        };
        const auto last = std::find_if(sizes_.rbegin(), sizes_.rend(), fits);
        MEDLEY_ASSERT(last != sizes_.rend());
        parts.push_back(last->size);
        batch -= last->size;
    }
    std::sort(parts.begin(), parts.end(), std::greater<>());
    return parts;
}

}  // namespace medley::planner
