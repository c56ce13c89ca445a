#pragma once
/// VirtualFlow's mixed top-up: jobs that were given one GPU type also get idle GPUs of another where that makes them faster.

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "core/plan.h"
#include "sched/cluster_view.h"

namespace medley::planner {

/// For each job that was placed, in order, and each type of which nobody holds a GPU: the best mix of the job's type and that one
/// under the planner's rule power-of-two, both types used and communication free. The fastest mix is taken if it beats the job's
/// rate on its own type alone. A rigid gang that is not a whole pool may mix only up to `max_gpus`. Jobs without a profile or a batch
/// size stay as they are.
///
/// Plans are remembered by (model, batch, counts), so a round costs O(placed jobs x idle types) look-ups.
class MixedTopUp {
 public:
    struct Placed {
        JobId job;
        GpuTypeId type;
        int gpus = 0;
    };

    /// The allocation of each job in `placed`. `idle` holds the GPUs by type of the types that nobody holds (0 for the others).
    std::vector<Allocation> apply(const ClusterView& view, std::span<const Placed> placed, std::vector<int> idle);

 private:
    using Key = std::tuple<Name, std::int64_t, GpuTypeId, int, GpuTypeId, int>;

    std::optional<Allocation> best_mix(const ClusterView& view, const Placed& placed, const std::vector<int>& idle);
    std::shared_ptr<const Plan> plan_for(const ClusterView& view, const Placed& own, GpuTypeId extra, int extra_gpus);

    std::map<Key, std::shared_ptr<const Plan>> plans_;  ///< null = no such mix
};

}  // namespace medley::planner
