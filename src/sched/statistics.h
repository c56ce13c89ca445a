#pragma once
/// Means and percentiles, as numpy defines them.

#include <optional>
#include <vector>

namespace medley {

/// Empty for no values.
std::optional<double> mean(const std::vector<double>& values);
/// Linear interpolation between the two nearest ranks (numpy's default); 50 is the median with the mean of the two middle values.
/// Reorders `values`. Requires percent in [0, 100]. Cost: O(values). Empty for no values.
std::optional<double> percentile(std::vector<double>& values, double percent);
/// (sum)^2 / (n x sum of squares): 1 = all equal, 1/n = one has all. Empty for no values or all zero.
std::optional<double> jain_index(const std::vector<double>& values);

}  // namespace medley
