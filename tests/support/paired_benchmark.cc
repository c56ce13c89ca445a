#include "tests/support/paired_benchmark.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/error.h"

namespace medley::test {
namespace {

double at_rank(std::vector<double> values, std::size_t rank) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rank), values.end());
    return values[rank];
}

// The order statistics that hold the median with 95 %: n/2 -+ 1.96 sqrt(n)/2 (normal approximation of the binomial).
std::size_t low_rank(std::size_t count) {
    const auto size = static_cast<double>(count);
    return static_cast<std::size_t>(std::max(0.0, std::floor(size / 2 - 0.98 * std::sqrt(size)) - 1));
}

}  // namespace

PairedResult compare_pairs(const std::vector<double>& first, const std::vector<double>& second) {
    MEDLEY_ASSERT(first.size() == second.size() && first.size() >= 6);
    std::vector<double> ratios(first.size());
    std::transform(first.begin(), first.end(), second.begin(), ratios.begin(), std::divides<>());
    const std::size_t low = low_rank(ratios.size());
    const std::size_t middle = ratios.size() / 2;
    return {.pairs = static_cast<int>(ratios.size()),
            .first_s = at_rank(first, middle),
            .second_s = at_rank(second, middle),
            .ratio = at_rank(ratios, middle),
            .low = at_rank(ratios, low),
            .high = at_rank(ratios, ratios.size() - 1 - low)};
}

PairedResult measure_pairs(int pairs, const std::function<double()>& first, const std::function<double()>& second) {
    std::vector<double> first_times;
    std::vector<double> second_times;
    for (int pair = 0; pair <= pairs; ++pair) {
        double first_s = pair % 2 == 0 ? first() : 0;
        const double second_s = second();
        if (pair % 2 != 0) { first_s = first(); }
        if (pair == 0) { continue; }
        first_times.push_back(first_s);
        second_times.push_back(second_s);
    }
    return compare_pairs(first_times, second_times);
}

double seconds_of(const std::function<void()>& call) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace medley::test
