#pragma once
/// Which device holds which virtual nodes, when the plan does not say.

#include <span>
#include <string>
#include <vector>

#include "executor/protocol/messages.h"

namespace medley::executor {

/// Longest processing time first (Graham 1969): the largest virtual node to the place that would finish it first, by `Place::speed`.
/// Deterministic; ties go to the place that holds the virtual node already, then to the earlier place. With at least as many virtual nodes
/// as places, none stays empty. O(V P) for V virtual nodes and P places. Requires a place.
Placement rebalance_by_speed(std::span<const Place> live, std::span<const std::int64_t> virtual_nodes);

/// The same, by seconds per sample measured on each place (by position); a place without a positive, finite figure counts by its speed
/// relative to the measured ones' mean.
Placement rebalance_by_seconds(std::span<const Place> live, std::span<const std::int64_t> virtual_nodes,
                               std::span<const double> seconds_per_sample);

/// Empty if the placement is sound: at least one place, none empty, each of the `virtual_nodes` in exactly one. Else what is wrong.
std::string placement_problem(const Placement& placement, std::size_t virtual_nodes);

}  // namespace medley::executor
