#pragma once
/// From the mean shares of a group of identical jobs to shares of each.

#include <optional>
#include <span>
#include <vector>

#include "core/ids.h"

namespace medley::planner {

/// Every job gets the same gain, the group's mean, within the same totals by type and at most all of its time; jobs at home on a type
/// keep it where that is possible, and as few as possible are spread over several types: a job that reaches the mean gain on one type
/// alone gets that one only, as long as those that follow still have time enough for the rest. Shares by job (in the order of `homes`,
/// one for each) and by type. Requires mean shares that add up to at most 1. Cost: O(jobs x types).
std::vector<std::vector<double>> split_group(std::span<const double> mean_shares, std::span<const double> gain,
                                             std::span<const std::optional<GpuTypeId>> homes);

}  // namespace medley::planner
