#pragma once
/// What a set of GPUs costs in money and in power while it is held, used or not.

#include <optional>
#include <span>

#include "core/cluster.h"
#include "cost/communication.h"

namespace medley {

inline constexpr double kSecondsPerHour = 3600;

/// The type of this name; null if the table lacks it.
const GpuType* find_type(std::span<const GpuType> types, Name name);

/// Sum over the GPUs held; empty if a used type's price is unknown.
std::optional<double> usd_per_second(std::span<const TypeCount> held, std::span<const GpuType> types);
/// Sum over the GPUs held, at their stated power; empty if a used type's power is unknown.
std::optional<double> watts(std::span<const TypeCount> held, std::span<const GpuType> types);

}  // namespace medley
