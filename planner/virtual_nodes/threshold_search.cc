#include "planner/virtual_nodes/threshold_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <set>

#include "core/error.h"
#include "planner/virtual_nodes/cover.h"
#include "planner/virtual_nodes/exact_sum.h"
#include "planner/virtual_nodes/integer_set.h"

namespace medley::planner {
namespace {

constexpr CoverLimits kBoundLimits{.nodes = 2'000, .tests = 0};
constexpr CoverLimits kQuickLimits{.nodes = 1'000, .tests = 16};
constexpr CoverLimits kLeafLimits{.nodes = 200'000, .tests = 2'000};
constexpr CoverLimits kListLimits{.nodes = 20'000, .tests = 200};
constexpr double kMostSetWork = 2e8;
constexpr std::uint64_t kMostWords = 200'000'000;  ///< in one search; about a tenth of a second
constexpr std::int64_t kPackingSteps = 100'000;
constexpr int kMostIntervals = 100'000;

/// Times in (above, upto], in one region. Tight: both ends are times that occur.
struct Interval {
    double bound;
    double least;
    double greatest;
    std::size_t region;

    bool single() const { return least == greatest; }
    bool operator>(const Interval& other) const {
        if (bound != other.bound) { return bound > other.bound; }
        if (least != other.least) { return least > other.least; }
        return region > other.region;
    }
};

class ThresholdSearch {
 public:
    ThresholdSearch(const Problem& problem, double limit) : problem_(problem), limit_(limit) {}

    Solution run() {
        double from = fractional_threshold();
        if (from == kNoValue) { return best_; }
        from *= 1 - 1e-9;
        for (double width = first_width();; width *= 2) {
            const double upto = from + width;
            for (const TypeOffer& type : problem_.types) { type.table->cover(upto, problem_.batch); }
            explore(from, upto);
            if (complete_from(upto) || beyond(upto) > reach()) { break; }
            if (exhausted()) {
                unresolved_ = std::min(unresolved_, beyond(upto));
                break;
            }
            from = upto;
        }
        best_.bound = std::min({best_.value, unresolved_, least_open_});
        return std::move(best_);
    }

 private:
    using Queue = std::priority_queue<Interval, std::vector<Interval>, std::greater<>>;

    /// Time if work were divisible at each type's best rate on all GPUs: no T is smaller.
    double fractional_threshold() const {
        double rate = 0;
        for (const TypeOffer& type : problem_.types) {
            if (type.usable()) { rate += type.gpus / type.table->best_seconds_per_unit(); }
        }
        return rate > 0 ? static_cast<double>(problem_.batch) / rate : kNoValue;
    }

    /// How far to look first: unweighted, the best T mostly lies within a virtual node of the fractional one; a cost may be least anywhere.
    double first_width() const {
        double shortest = kNoValue;
        double whole = 0;
        for (const TypeOffer& type : problem_.types) {
            if (!type.usable()) { continue; }
            const double best = type.table->best_seconds_per_unit();
            whole = std::max(whole, 2 * best * static_cast<double>(problem_.batch));
            for (const TimedSize& size : type.table->sizes()) {
                if (size.seconds <= best * static_cast<double>(size.size)) { shortest = std::min(shortest, size.seconds); }
            }
        }
        return problem_.weighted ? whole : shortest;
    }

    /// Have all batches up to the whole been looked at?
    bool complete_from(double upto) const {
        return std::all_of(problem_.types.begin(), problem_.types.end(), [&](const TypeOffer& type) {
            const bool all_known = type.limited_to_list() || type.table->knows(problem_.batch);
            return !type.usable() || (all_known && (type.times().empty() || type.times().back() <= upto));
        });
    }

    /// No plan with a greater T has a smaller value.
    double beyond(double upto) const {
        double least = kNoValue;
        for (const Region& region : problem_.regions) {
            for (const TypeOffer& type : problem_.types) {
                if (type.usable()) { least = std::min(least, problem_.value(region, upto, 1, type.weight)); }
            }
        }
        return least;
    }

    std::uint64_t words_spent() const { return IntegerSet::words_added() - words_at_start_; }

    /// Beyond this even a search that has found nothing yet stops, and says so.
    bool exhausted() const { return words_spent() > 10 * kMostWords; }

    /// Values up to this are of interest.
    double reach() const { return std::min(limit_, best_.value); }

    void explore(double from, double upto) {
        Queue open;
        for (std::size_t region = 0; region < problem_.regions.size(); ++region) { push(open, from, upto, region); }
        for (; !open.empty(); --intervals_left_) {
            const Interval next = open.top();
            if (next.bound > reach() * (1 + kTie)) { return; }
            const bool given_up = intervals_left_ <= 0 || packing_steps_left_ <= 0 || words_spent() > kMostWords;
            if (exhausted() || (given_up && (best_.found() || !problem_.list.empty()))) {
                least_open_ = std::min(least_open_, next.bound);
                return;
            }
            open.pop();
            if (!improves(next)) { continue; }
            if (next.single()) {
                settle(next);
            } else {
                split(open, next);
            }
        }
    }

    /// Better than the best so far, or equal at a smaller T?
    bool improves(const Interval& interval) const {
        if (!best_.found() || interval.bound < best_.value * (1 - kTie)) { return true; }
        return interval.least < best_.threshold * (1 - kTie);
    }

    void push(Queue& open, double above, double upto, std::size_t region) {
        double least = kNoValue;
        double greatest = 0;
        for (const TypeOffer& type : problem_.types) {
            const auto times = type.times();
            const auto first = std::upper_bound(times.begin(), times.end(), above);
            const auto end = std::upper_bound(first, times.end(), upto);
            if (first == end) { continue; }
            least = std::min(least, *first);
            greatest = std::max(greatest, *(end - 1));
        }
        if (least == kNoValue) { return; }
        const ExactSum capacity(problem_, greatest);
        Cover cover(problem_, problem_.regions[region], least, capacity.largest());
        const CoverResult bound = cover.least(reach() * (1 + 2 * kTie), kBoundLimits);
        if (bound.bound == kNoValue) { return; }
        open.push(Interval{.bound = bound.bound, .least = least, .greatest = greatest, .region = region});
    }

    /// At the median of the type with the most times inside.
    void split(Queue& open, const Interval& interval) {
        double middle = interval.least;
        std::ptrdiff_t most = 1;
        for (const TypeOffer& type : problem_.types) {
            const auto times = type.times();
            const auto first = std::lower_bound(times.begin(), times.end(), interval.least);
            const auto end = std::upper_bound(first, times.end(), interval.greatest);
            if (end - first <= most) { continue; }
            most = end - first;
            middle = *(first + (most - 1) / 2);
        }
        push(open, std::nextafter(interval.least, 0.0), middle, interval.region);
        push(open, middle, interval.greatest, interval.region);
    }

    void settle(const Interval& interval) {
        const Region& region = problem_.regions[interval.region];
        const double threshold = interval.least;
        const bool faster = best_.found() && threshold < best_.threshold * (1 - kTie);
        const double limit = !best_.found() ? limit_ : best_.value * (faster ? 1 + kTie : 1 - kTie);
        const ExactSum sums(problem_, threshold);
        Cover cover(problem_, region, threshold, sums.largest());
        if (!problem_.exact_sum) {
            accept(cover.least(limit * (1 + 2 * kTie), kLeafLimits), interval);
            return;
        }
        if (!problem_.list.empty()) {
            settle_list(cover, limit, interval);
            return;
        }

        const std::uint64_t words_before = IntegerSet::words_added();
        const CountsTest test = [&](std::span<const int> counts) {
            if (IntegerSet::words_added() - words_before > kMostWords) { return Verdict::kUnknown; }
            return sums.reachable(counts) ? Verdict::kYes : Verdict::kNo;
        };
        CoverResult result = cover.least_exact(test, limit, kQuickLimits);
        if (!result.complete) {
            const bool affordable = !problem_.every_type && sums.work(region.most) < kMostSetWork;
            if (affordable && !sums.reachable_within(region.most)) { return; }
            result = cover.least_exact(test, limit, kLeafLimits);
            if (!result.complete && result.counts.empty() && affordable) { take_any(sums, interval, result); }
        }
        accept(result, interval);
    }

    void settle_list(Cover& cover, double limit, const Interval& interval) {
        Packed packed;
        const CountsTest test = [&](std::span<const int> counts) {
            return pack(problem_, interval.least, counts, packing_steps_left_, packed);
        };
        CoverResult result = cover.least_exact(test, limit, kListLimits);
        // Where not all loads of a GPU are listed, some that take a little longer than this time may do.
        const bool all_listed =
            std::all_of(problem_.types.begin(), problem_.types.end(), [](const TypeOffer& type) { return type.limited_to_list(); });
        result.complete = result.complete && (all_listed || !result.counts.empty());
        if (!result.complete) { result.bound = interval.bound; }
        if (accept(result, interval)) { best_.packed = std::move(packed); }
    }

    /// Some counts that reach the batch, where no good ones were found in time.
    void take_any(const ExactSum& sums, const Interval& interval, CoverResult& result) const {
        const Region& region = problem_.regions[interval.region];
        result.counts = sums.counts_within(region.most);
        double weight = 0;
        result.gpus = 0;
        for (std::size_t type = 0; type < result.counts.size(); ++type) {
            result.gpus += result.counts[type];
            weight += result.counts[type] * problem_.types[type].weight;
        }
        result.value = problem_.value(region, interval.least, result.gpus, weight);
        result.bound = interval.bound;
    }

    bool accept(const CoverResult& result, const Interval& interval) {
        if (!result.complete) { unresolved_ = std::min(unresolved_, std::max(interval.bound, result.bound)); }
        if (result.counts.empty() || result.value > reach() * (1 + kTie)) { return false; }
        best_.value = result.value;
        best_.threshold = interval.least;
        best_.counts = result.counts;
        return true;
    }

    const Problem& problem_;
    double limit_;
    Solution best_;
    double unresolved_ = kNoValue;
    double least_open_ = kNoValue;
    std::uint64_t words_at_start_ = IntegerSet::words_added();
    int intervals_left_ = kMostIntervals;
    std::int64_t packing_steps_left_ = kPackingSteps;
};

}  // namespace

Solution search_thresholds(const Problem& problem, double limit) { return ThresholdSearch(problem, limit).run(); }

void assign_batches(const Problem& problem, Solution& solution) {
    MEDLEY_ASSERT(solution.found() && problem.list.empty());
    solution.batches = ExactSum(problem, solution.threshold).batches(solution.counts);
}

bool composable(const Problem& problem) {
    std::set<std::int64_t> sizes;
    std::int64_t divisor = 0;
    for (const TypeOffer& type : problem.types) {
        if (!type.usable()) { continue; }
        for (const TimedSize& size : type.table->sizes()) {
            sizes.insert(size.size);
            divisor = std::gcd(divisor, size.size);
        }
    }
    if (sizes.empty()) { return false; }
    // Coprime sizes compose everything from (smallest - 1)(largest - 1) on (Brauer 1942).
    if (divisor == 1 && problem.batch >= (*sizes.begin() - 1) * (*sizes.rbegin() - 1)) { return true; }
    IntegerSet sums = IntegerSet::of_zero(problem.batch);
    for (const std::int64_t size : sizes) {
        // 1, 2, 4, ... copies: any number of them.
        for (std::int64_t shift = size; shift <= problem.batch; shift *= 2) { sums.insert_shifted(IntegerSet(sums), shift); }
    }
    return sums.contains(problem.batch);
}

}  // namespace medley::planner
