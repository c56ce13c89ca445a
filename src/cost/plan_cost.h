#pragma once
/// What one step of a plan takes: the one prediction shared by the planner, the simulator and the command line.
///
/// Step time = max over GPUs of (sum over its virtual nodes of their profiled seconds) + communication (VirtualFlow, section 3).
/// Every GPU of the plan is paid for, and draws its power, during the whole step.

#include <optional>
#include <span>
#include <vector>

#include "core/cluster.h"
#include "core/plan.h"
#include "core/profile.h"
#include "core/units.h"
#include "cost/communication.h"

namespace medley {

struct GroupCost {
    Seconds compute;              ///< of one replica: its virtual nodes one after another
    std::optional<Bytes> memory;  ///< peak of one device; empty if not measured
};

struct PlanCost {
    Seconds step;
    Seconds compute;
    Seconds communication;
    double samples_per_s = 0;
    std::optional<double> usd_per_million_samples;  ///< empty if a used type's price is unknown
    std::optional<double> joules_per_sample;        ///< empty if a used type's power is unknown
    std::vector<GroupCost> groups;                  ///< as in the plan
};

/// GPUs of a plan by type, each type once, in the order of first use.
std::vector<TypeCount> counts_of(const Plan& plan);

/// The measured point of this size. Throws medley::Error if the size is not profiled. Cost: O(log points).
const ProfilePoint& profiled_point(const GpuProfile& gpu, Samples size);

/// Seconds of these virtual nodes one after another, equal ones as count x seconds. Throws medley::Error naming a size that is not
/// profiled.
Seconds compute_seconds(const GpuProfile& gpu, std::span<const Samples> virtual_nodes);

/// Requires a plan that passes `validate`. Throws medley::Error where the profile lacks a type or a size of the plan, or a replica
/// spans several devices. `types` gives prices and powers; a type it lacks has none. Cost: O(virtual nodes x log profile points).
PlanCost evaluate(const Plan& plan, const Profile& profile, std::span<const GpuType> types, const Communication& communication,
                  bool exact = false);

}  // namespace medley
