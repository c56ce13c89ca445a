#pragma once
/// What is left of each GPU type while a decision is being made.

#include <algorithm>
#include <optional>
#include <vector>

#include "core/error.h"
#include "sched/cluster_view.h"

namespace medley::planner {

/// Present capacity by type.
inline std::vector<int> capacities(const ClusterView& view) {
    std::vector<int> gpus;
    for (std::size_t type = 0; type < view.type_count(); ++type) { gpus.push_back(view.capacity(GpuTypeId(type))); }
    return gpus;
}

class FreeGpus {
 public:
    /// Starts from what the view says is free.
    void reset(const ClusterView& view) {
        free_.resize(view.type_count());
        for (std::size_t index = 0; index < free_.size(); ++index) { free_[index] = view.free(GpuTypeId(index)); }
    }
    /// Starts from the whole capacity, for policies that deal out everything anew.
    void reset_to_capacity(const ClusterView& view) { free_ = capacities(view); }

    bool none() const {
        return std::all_of(free_.begin(), free_.end(), [](int gpus) { return gpus == 0; });
    }
    int of(GpuTypeId type) const { return free_[type.index()]; }
    void take(GpuTypeId type, int gpus) {
        free_[type.index()] -= gpus;
        MEDLEY_ASSERT(free_[type.index()] >= 0);
    }
    void give_back(GpuTypeId type, int gpus) { free_[type.index()] += gpus; }

    /// The type-unaware choice: the first type of the cluster file that the job is allowed on and that has room for all it demands.
    std::optional<GpuTypeId> first_with_room(const ClusterView& view, JobId job) const {
        for (std::size_t index = 0; index < free_.size(); ++index) {
            const GpuTypeId type(index);
            if (view.could_run_on(job, type) && view.demand(job, type) <= free_[index]) { return type; }
        }
        return std::nullopt;
    }

 private:
    std::vector<int> free_;
};

}  // namespace medley::planner
