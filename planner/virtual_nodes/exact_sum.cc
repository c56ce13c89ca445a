#include "planner/virtual_nodes/exact_sum.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/error.h"

namespace medley::planner {
namespace {

/// `count` deficits that add up to `total`: all equal if possible, else k equal ones and the rest 0, else as few above 0 as possible.
/// Requires that they exist and that 0 is a deficit.
std::vector<std::int64_t> spread(const IntegerSet& deficits, int count, std::int64_t total) {
    std::vector<std::int64_t> chosen(static_cast<std::size_t>(count), 0);
    const auto equal_parts = [&](int parts) { return total % parts == 0 && deficits.contains(total / parts); };
    const auto fill = [&](int parts) { std::fill_n(chosen.begin(), parts, total / parts); };
    if (equal_parts(count)) {
        fill(count);
        return chosen;
    }
    for (int parts = 1; parts < count; ++parts) {
        if (equal_parts(parts)) {
            fill(parts);
            return chosen;
        }
    }
    std::vector<IntegerSet> reached{IntegerSet::of_zero(deficits.limit())};
    while (!reached.back().contains(total)) {
        MEDLEY_ASSERT(static_cast<int>(reached.size()) <= count);
        reached.push_back(sum_of(reached.back(), deficits));
    }
    const std::vector<std::int64_t> members = deficits.members();
    for (std::size_t used = reached.size() - 1; used > 0; --used) {
        const auto found = std::find_if(members.rbegin(), members.rend(),
                                        [&](std::int64_t deficit) { return reached[used - 1].contains(total - deficit); });
        MEDLEY_ASSERT(found != members.rend());
        chosen[used - 1] = *found;
        total -= *found;
    }
    return chosen;
}

}  // namespace

ExactSum::ExactSum(const Problem& problem, double threshold) : problem_(problem), threshold_(threshold) {
    for (const TypeOffer& type : problem.types) { largest_.push_back(type.usable() ? type.largest_within(threshold) : 0); }
}

std::int64_t ExactSum::surplus(std::span<const int> counts) const {
    std::int64_t capacity = 0;
    for (std::size_t type = 0; type < counts.size(); ++type) { capacity += counts[type] * largest_[type]; }
    return capacity - problem_.batch;
}

std::vector<ExactSum::Term> ExactSum::terms(std::span<const int> counts, std::int64_t surplus, bool idle_allowed) const {
    std::vector<Term> terms;
    for (std::size_t type = 0; type < counts.size(); ++type) {
        const std::int64_t largest = largest_[type];
        if (counts[type] == 0 || largest == 0) { continue; }
        const BatchTable& table = *problem_.types[type].table;
        IntegerSet deficits(surplus);
        const std::int64_t most = std::min(surplus, largest - table.smallest());
        for (std::int64_t deficit = 0; deficit <= most; ++deficit) {
            if (table.within(largest - deficit, threshold_)) { deficits.insert(deficit); }
        }
        if (idle_allowed && largest <= surplus) { deficits.insert(largest); }
        terms.push_back(Term{.type = type, .count = counts[type], .deficits = std::move(deficits)});
    }
    return terms;
}

/// Do one or two GPUs make up for it? Mostly they do, and it is quickly seen.
bool ExactSum::few_sum_to(const std::vector<Term>& terms, std::int64_t surplus) {
    for (const Term& term : terms) {
        if (term.deficits.contains(surplus)) { return true; }
    }
    for (const Term& term : terms) {
        for (const Term& other : terms) {
            const bool same = &term == &other;
            if ((!same || term.count > 1) && sum_contains(term.deficits, other.deficits, surplus)) { return true; }
            if (same) { break; }
        }
    }
    return false;
}

bool ExactSum::sums_to(const std::vector<Term>& terms, std::int64_t surplus) {
    if (few_sum_to(terms, surplus)) { return true; }
    IntegerSet sums = IntegerSet::of_zero(surplus);
    for (const Term& term : terms) {
        // The very last GPU needs no set of sums, only a look.
        const bool last = &term == &terms.back();
        sums = sum_of(sums, multiple_of(term.deficits, last ? term.count - 1 : term.count));
        if (sums.contains(surplus)) { return true; }  // every further deficit may be 0
        if (last) { return sum_contains(term.deficits, sums, surplus); }
    }
    return surplus == 0;
}

/// Is the batch a multiple of what all sizes of the types used are multiples of?
bool ExactSum::divides(std::span<const int> counts) const {
    std::int64_t divisor = 0;
    for (std::size_t type = 0; type < counts.size(); ++type) {
        if (counts[type] > 0) { divisor = std::gcd(divisor, problem_.types[type].table->common_divisor()); }
    }
    return divisor != 0 && problem_.batch % divisor == 0;
}

bool ExactSum::reachable(std::span<const int> counts) const {
    const std::int64_t over = surplus(counts);
    if (over <= 0) { return over == 0; }
    if (!divides(counts)) { return false; }
    std::int64_t most = 0;
    for (std::size_t type = 0; type < counts.size(); ++type) {
        if (counts[type] > 0 && largest_[type] == 0) { return false; }
        if (counts[type] > 0) { most += counts[type] * (largest_[type] - problem_.types[type].table->smallest()); }
    }
    return over <= most && sums_to(terms(counts, over, false), over);
}

bool ExactSum::reachable_within(std::span<const int> most) const {
    const std::int64_t over = surplus(most);
    return over == 0 || (over > 0 && sums_to(terms(most, over, true), over));
}

double ExactSum::work(std::span<const int> counts) const {
    const auto over = static_cast<double>(std::max<std::int64_t>(surplus(counts), 0));
    double steps = 0;
    for (const int count : counts) {
        if (count > 0) { steps += over * over / 64 * std::log2(1.0 + count); }
    }
    return steps;
}

std::vector<std::int64_t> ExactSum::shares(const std::vector<Term>& terms, std::int64_t surplus) {
    std::vector<IntegerSet> of_type;
    std::vector<IntegerSet> from{IntegerSet::of_zero(surplus)};  // sums of the types after, last first
    for (const Term& term : terms) { of_type.push_back(multiple_of(term.deficits, term.count)); }
    for (std::size_t index = terms.size(); index-- > 1;) { from.push_back(sum_of(from.back(), of_type[index])); }
    std::vector<std::int64_t> shares;
    for (std::size_t index = 0; index < terms.size(); ++index) {
        const IntegerSet& rest = from[terms.size() - 1 - index];
        const std::vector<std::int64_t> members = of_type[index].members();
        const auto share = std::find_if(members.begin(), members.end(), [&](std::int64_t value) { return rest.contains(surplus - value); });
        MEDLEY_ASSERT(share != members.end());
        shares.push_back(*share);
        surplus -= *share;
    }
    return shares;
}

std::vector<std::vector<std::int64_t>> ExactSum::batches(std::span<const int> counts) const {
    std::vector<std::vector<std::int64_t>> chosen(counts.size());
    const std::int64_t over = surplus(counts);
    const std::vector<Term> all = terms(counts, over, false);
    const std::vector<std::int64_t> share = shares(all, over);
    for (std::size_t index = 0; index < all.size(); ++index) {
        std::vector<std::int64_t>& batches = chosen[all[index].type];
        for (const std::int64_t deficit : spread(all[index].deficits, all[index].count, share[index])) {
            batches.push_back(largest_[all[index].type] - deficit);
        }
        std::sort(batches.begin(), batches.end(), std::greater<>());
    }
    return chosen;
}

std::vector<int> ExactSum::counts_within(std::span<const int> most) const {
    std::vector<int> counts(most.size(), 0);
    const std::int64_t over = surplus(most);
    const std::vector<Term> all = terms(most, over, true);
    const std::vector<std::int64_t> share = shares(all, over);
    for (std::size_t index = 0; index < all.size(); ++index) {
        const std::size_t type = all[index].type;
        const std::vector<std::int64_t> deficits = spread(all[index].deficits, all[index].count, share[index]);
        counts[type] =
            static_cast<int>(std::count_if(deficits.begin(), deficits.end(), [&](std::int64_t value) { return value < largest_[type]; }));
    }
    return counts;
}

}  // namespace medley::planner
