#pragma once
/// Device memory of one data-parallel replica (VirtualFlow, section 3.3): what stays plus the activations of one virtual node.
///
/// Virtual nodes of a device run one after another and free their activations in between, so the peak depends on the largest virtual
/// node and not on their number: weights + optimizer + one gradient buffer + activations of the largest. Exact summation
/// keeps eight more bytes a parameter.

#include <optional>
#include <span>

#include "core/cluster.h"
#include "core/profile.h"
#include "core/units.h"

namespace medley {

inline constexpr double kExactBytesPerParameter = 8;

/// Weights, optimizer, gradient buffer, and with `exact` the wide accumulator. Throws medley::Error if `exact` is asked of a profile
/// that does not state `parameters`.
Bytes resident_memory(const Profile& profile, bool exact);

/// Peak of a device that runs these virtual nodes; empty if the memory of one of them was not measured. Requires sizes that are
/// profiled on the type.
std::optional<Bytes> device_memory(const Profile& profile, const GpuProfile& gpu, std::span<const Samples> virtual_nodes, bool exact);

/// Does a virtual node of this size fit one device? A size without measured activations needs what stays only, and anything fits a
/// type of unknown memory. Requires `resident` from `resident_memory`.
bool fits(const ProfilePoint& point, const GpuType& type, Bytes resident);

}  // namespace medley
