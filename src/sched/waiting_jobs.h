#pragma once
/// The waiting jobs by what they would need at least: tells which free GPUs are of use to somebody.

#include <cstdint>
#include <vector>

#include "core/ids.h"
#include "sched/belief.h"

namespace medley {

/// Jobs with equal needs are one class. Cost: O(1) for `add` and `remove`. Thread rule: one thread.
class WaitingJobs {
 public:
    using ClassId = std::uint32_t;

    /// The class of jobs that may use these types and need at least so many GPUs. O(distinct masks + log distinct gangs) if known.
    ClassId class_of(GpuTypeMask allowed, int least_gang);
    void add(ClassId id) { ++jobs_[id]; }
    /// Requires that such a job waits.
    void remove(ClassId id);

    /// The types whose free GPUs count as fragmented: some waiting job that allows the type needs no more GPUs than are free on all
    /// its allowed types together. It fits by count, so what keeps it waiting is where the GPUs are, or the policy. Cost: O(classes)
    /// at worst; the smallest waiting gang of each mask decides.
    GpuTypeMask wanted(const std::vector<int>& free) const;

 private:
    struct Gang {
        int gpus = 0;
        ClassId id = 0;
    };
    struct Group {
        GpuTypeMask allowed = 0;
        std::vector<Gang> gangs;  ///< ascending
    };
    bool any_fits(const Group& group, std::int64_t room) const;

    std::vector<Group> groups_;
    std::vector<std::int64_t> jobs_;  ///< by class
};

}  // namespace medley
