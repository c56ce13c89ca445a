#pragma once
/// Two ways of doing one thing, measured in turns, so that what else the machine does falls on both alike.

#include <functional>
#include <vector>

namespace medley::test {

struct PairedResult {
    int pairs = 0;
    double first_s = 0;  ///< medians
    double second_s = 0;
    double ratio = 0;  ///< median over pairs of first / second
    double low = 0;    ///< 95 % confidence interval of that median, from order statistics (distribution-free)
    double high = 0;
};

/// Requires equally many times, at least 6 pairs.
PairedResult compare_pairs(const std::vector<double>& first, const std::vector<double>& second);

/// Calls both in turns, the one that begins changing from pair to pair; each returns its seconds. The first pair is not counted.
PairedResult measure_pairs(int pairs, const std::function<double()>& first, const std::function<double()>& second);

/// Seconds of one call.
double seconds_of(const std::function<void()>& call);

}  // namespace medley::test
