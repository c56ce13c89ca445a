#pragma once
/// Turns a job into what its policy may believe of it, and derives the reference run times that the log carries.

#include <unordered_map>
#include <vector>

#include "core/cluster.h"
#include "core/job.h"
#include "core/job_speed.h"
#include "sched/belief.h"

namespace medley {

/// What is the same for all jobs of one kind, at the cluster's nominal capacity.
struct JobKind {
    GpuTypeMask runnable = 0;  ///< allowed types whose pool is large enough and where the job's speed is above 0
    double best_speed = 0;     ///< on the requested GPUs of the fastest such type
    double mean_speed = 0;     ///< averaged over all GPUs of the cluster; types where it cannot run count as 0
    double nominal_gpus = 1;   ///< the gang, or the mean pool of the types where a pool job can run
};

/// Cost of `believe`: one hash look-up a job; O(types) for the first job of a kind. Thread rule: one thread.
class BeliefMaker {
 public:
    BeliefMaker(const Cluster& cluster, const CostModel& believed, InformationClass information);

    JobBelief believe(const Job& job, JobId id);
    const JobKind& kind(std::uint32_t index) const { return kinds_[index]; }

 private:
    struct Key {
        Name model, reference;
        std::int64_t batch = 0;
        int gpus = 0, min_gpus = 0, max_gpus = 0;
        bool counts_steps = false;
        GpuTypeMask allowed = 0;
        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const noexcept;
    };

    GpuTypeMask allowed_types(const Job& job) const;
    std::uint32_t kind_of(const Job& job, GpuTypeMask allowed);
    JobKind make_kind(const Job& job, GpuTypeMask allowed) const;

    const Cluster& cluster_;
    const CostModel& believed_;
    InformationClass information_;
    std::vector<int> capacity_;
    std::unordered_map<Key, std::uint32_t, KeyHash> index_;
    std::vector<JobKind> kinds_;
};

}  // namespace medley
