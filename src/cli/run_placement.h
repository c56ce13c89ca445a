#pragma once
/// From what a user writes (a plan, counts of GPUs, counts of workers) to where each virtual node lies.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/run_devices.h"
#include "core/plan.h"
#include "core/profile.h"
#include "executor/protocol/messages.h"

namespace medley::cli {

/// A plan's virtual nodes in the order of `Plan::virtual_nodes`, as a run numbers them.
std::vector<std::int64_t> virtual_node_sizes(const Plan& plan);

/// One place for each replica of the plan. Throws medley::Error if a replica spans several devices, or the virtual nodes are others.
executor::Placement placement_of(const Plan& plan, std::span<const std::int64_t> virtual_nodes, DeviceSource& devices);

/// The placement as a plan again, for predictions: equal places are one group. `model` names it.
Plan plan_of(const executor::Placement& placement, std::span<const std::int64_t> virtual_nodes, Name model);

struct SpreadOptions {
    std::string option;  ///< to blame: "--workers", "--to"
    std::span<const std::int64_t> virtual_nodes;
    const Profile* profile = nullptr;  ///< for unequal GPUs; may be null
    std::string gpu_type;              ///< that counts of workers stand for; may be empty
};

/// `text` is "4" (workers, as equal as can be), "4,2,2" (virtual nodes of each worker), "V100=1,P100=2" (GPUs by type, through the planner
/// where the profile has them all, else by equal shares) or a plan file. Throws medley::Error for anything else, and for more places than
/// virtual nodes.
executor::Placement parse_placement(std::string_view text, const SpreadOptions& options, DeviceSource& devices);

}  // namespace medley::cli
