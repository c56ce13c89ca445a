#pragma once
/// Small clusters, jobs and speeds whose every number can be worked out by hand.

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/cluster.h"
#include "core/job.h"
#include "core/job_speed.h"
#include "sched/policy.h"

namespace medley::test {

inline constexpr GpuTypeId type_id(std::size_t index) { return GpuTypeId(index); }
inline SimTime at(double seconds) { return to_sim_time(Seconds{seconds}); }

/// Types t0, t1, ... with this many GPUs each, at 1, 2, ... dollars an hour and 100, 200, ... W.
inline Cluster toy_cluster(const std::vector<int>& gpus) {
    Cluster cluster;
    cluster.name = "toy";
    for (std::size_t index = 0; index < gpus.size(); ++index) {
        const auto number = static_cast<double>(index + 1);
        cluster.gpu_types.push_back({.name = Name("t" + std::to_string(index)), .price_usd_per_hour = number, .power_w = 100 * number});
        cluster.nodes.push_back({.name = "n" + std::to_string(index), .count = gpus[index], .gpu = GpuTypeId(index), .gpus = 1});
    }
    return cluster;
}

inline Job toy_job(std::string id, double submit_s, int gpus, double duration_s) {
    Job job;
    job.id = std::move(id);
    job.submit = at(submit_s);
    job.gpus = gpus;
    job.duration = Seconds{duration_s};
    return job;
}

/// Speed 1 on the gang on any type, (gpus / gang)^exponent on other counts; a tenth of the time of several GPUs is communication. A plan
/// runs as its GPUs together would.
class ToySpeeds : public CostModel {
 public:
    explicit ToySpeeds(double exponent = 1, double communication = 0.1) : exponent_(exponent), communication_(communication) {}

    JobSpeed speed(const Job& job, GpuTypeId, int gpus) const override { return speed(job, gpus); }
    JobSpeed speed(const Job& job, const Plan& plan) const override { return speed(job, plan.gpus()); }
    const Profile* profile(Name) const override { return nullptr; }

 private:
    JobSpeed speed(const Job& job, int gpus) const {
        const double share = static_cast<double>(gpus) / std::max(1, job.gpus);
        return {.work_per_s = std::pow(share, exponent_), .communication_fraction = gpus > 1 ? communication_ : 0};
    }
    double exponent_;
    double communication_;
};

/// Strict order of arrival on the first type with room; never takes anything back.
class ToyFifo : public Policy {
 public:
    const PolicyTraits& traits() const override { return traits_; }
    Decision decide(const ClusterView& view) override {
        Decision decision;
        std::vector<int> free;
        for (std::size_t type = 0; type < view.type_count(); ++type) { free.push_back(view.free(GpuTypeId(type))); }
        for (const JobId id : view.waiting()) {
            std::size_t type = 0;
            while (type < free.size() && (!view.could_run_on(id, GpuTypeId(type)) || view.demand(id, GpuTypeId(type)) > free[type])) {
                ++type;
            }
            if (type == free.size()) { break; }
            const int gpus = view.demand(id, GpuTypeId(type));
            free[type] -= gpus;
            decision.changes.push_back({.job = id, .target = Allocation::of(GpuTypeId(type), gpus)});
        }
        return decision;
    }
    PolicyTraits traits_{.name = "toy-fifo", .information = InformationClass::kLearned};
};

}  // namespace medley::test
