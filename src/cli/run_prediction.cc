#include "cli/run_prediction.h"

#include <algorithm>
#include <variant>

#include "cli/run_placement.h"
#include "core/error.h"
#include "cost/plan_cost.h"

namespace medley::cli {
namespace {

/// All workers side by side on the profile's link.
Communication communication_over(const Plan& plan, const Profile& profile) {
    if (!profile.link) { return {}; }
    Cluster cluster;
    for (const TypeCount& count : counts_of(plan)) {
        cluster.gpu_types.push_back(GpuType{.name = count.type});
        cluster.nodes.push_back(NodeGroup{.count = count.gpus, .gpu = GpuTypeId(cluster.gpu_types.size() - 1), .gpus = 1});
    }
    cluster.network = {NetworkLevel{.name = "workers", .link = *profile.link}};
    return Communication::over(cluster, profile.gradient);
}

std::optional<double> slowest_update(const Plan& plan, const Profile& profile) {
    std::optional<double> slowest;
    for (const ReplicaGroup& group : plan.groups) {
        const GpuProfile* gpu = profile.find(group.gpu_type);
        if (gpu != nullptr && gpu->update) { slowest = std::max(slowest.value_or(0), gpu->update->value); }
    }
    return slowest;
}

Prediction with_totals(Prediction prediction, std::int64_t global_batch) {
    prediction.step_s = prediction.compute_s + prediction.communication_s + prediction.update_s.value_or(0);
    if (prediction.step_s > 0) { prediction.samples_per_s = static_cast<double>(global_batch) / prediction.step_s; }
    return prediction;
}

Prediction predict_from(const executor::RunSetup& setup, const executor::Placement& placement, const Profile& profile) {
    const Plan plan = plan_of(placement, setup.virtual_nodes, profile.model);
    const PlanCost cost = evaluate(plan, profile, {}, communication_over(plan, profile));
    const auto* emulated = std::get_if<EmulatedModel>(&setup.job.model);
    return with_totals({.compute_s = cost.compute.value * (emulated != nullptr ? emulated->time_scale : 1),
                        .communication_s = cost.communication.value,
                        .update_s = slowest_update(plan, profile)},
                       plan.global_batch.value);
}

Prediction predict_emulated(const executor::RunSetup& setup, const executor::Placement& placement, const EmulatedModel& model) {
    double slowest_s = 0;
    std::int64_t global_batch = 0;
    for (const executor::Place& place : placement.places) {
        std::int64_t samples = 0;
        for (const executor::VirtualNode node : place.virtual_nodes) { samples += setup.virtual_nodes[node]; }
        slowest_s = std::max(slowest_s, static_cast<double>(samples) * model.seconds_per_sample * model.time_scale / place.speed);
        global_batch += samples;
    }
    return with_totals({.compute_s = slowest_s}, global_batch);
}

}  // namespace

std::optional<Prediction> predict(const executor::RunSetup& setup, const executor::Placement& placement, const Profile* profile,
                                  std::string& why_not) {
    if (setup.mode == executor::Mode::kInference) {
        why_not = "profiles hold times of training steps";
        return std::nullopt;
    }
    const auto* emulated = std::get_if<EmulatedModel>(&setup.job.model);
    if (emulated != nullptr && emulated->profile.empty() && emulated->seconds_per_sample > 0) {
        return predict_emulated(setup, placement, *emulated);
    }
    if (profile == nullptr) {
        why_not = "the job names no profile";
        return std::nullopt;
    }
    try {
        return predict_from(setup, placement, *profile);
    } catch (const Error& error) {
        why_not = error.what();
        return std::nullopt;
    }
}

}  // namespace medley::cli
