#pragma once
/// Job speeds from profiles.
///
/// A job that counts steps runs at samples/s / batch; rates are rate_curve.h's. A job that states a duration runs at speed 1 on its
/// requested GPUs of its reference type (of any type, where none is stated); with a profile of its model, other types are faster or slower
/// by the ratio of their rates, and a type that is not profiled cannot run it if the reference is; other numbers of GPUs follow
/// the scaling curve (a profile's exponent holds for types that were not measured, too). Without a profile all types are alike and
/// scaling is linear. A whole pool stands for its number of GPUs. Where no scaling was measured but the cluster states its links, a step
/// also takes the ring all-reduce of communication.h, as it does in a plan. Plans go through plan_cost.h.
///
/// Cost of a look-up: about 50 ns, no allocation, no lock. Thread rule: immutable after construction.

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/cluster.h"
#include "core/job_speed.h"
#include "core/name.h"
#include "core/profile.h"
#include "cost/communication.h"
#include "cost/rate_curve.h"

namespace medley {

class ProfileCostModel : public CostModel {
 public:
    /// Keeps a reference to `cluster`, which must outlive it. Throws medley::Error if two profiles are of one model.
    ProfileCostModel(const Cluster& cluster, std::vector<Profile> profiles);

    JobSpeed speed(const Job& job, GpuTypeId type, int gpus) const override;
    JobSpeed speed(const Job& job, const Plan& plan) const override;
    const Profile* profile(Name model) const override;

 private:
    struct Model {
        Profile profile;
        Communication communication;
        std::vector<std::pair<Name, RateCurve>> curves;   ///< all profiled types, of the cluster or not
        std::vector<std::optional<std::size_t>> by_type;  ///< into `curves`, by type of the cluster

        const RateCurve* find(Name gpu_type) const;
        const RateCurve* find(GpuTypeId type) const { return by_type[type.index()] ? &curves[*by_type[type.index()]].second : nullptr; }
    };

    Model make_model(Profile profile) const;
    const Model* model_of(const Job& job) const;
    JobSpeed speed_of_duration(const Job& job, const Model* model, GpuTypeId type, int gpus) const;
    /// The same rate with the all-reduce of each step of `batch` samples, where the topology has to tell.
    Rate communicating(const Model& model, const RateCurve& curve, Name type, Rate rate, Samples batch) const;
    int requested_gpus(const Job& job, Name type) const;
    std::optional<Rate> reference_rate(const Job& job, const Model& model) const;

    const Cluster& cluster_;
    std::vector<int> capacity_;
    std::vector<Model> models_;
    std::unordered_map<Name, std::size_t> index_;
};

}  // namespace medley
