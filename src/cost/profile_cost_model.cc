#include "cost/profile_cost_model.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "cost/plan_cost.h"

namespace medley {
namespace {

Samples batch_of(const Job& job) { return Samples{job.batch_size}; }

/// The slice that each of the requested GPUs was given when the duration was measured.
Samples slice_of(const Job& job, int requested) { return Samples{requested > 0 ? (job.batch_size + requested - 1) / requested : 0}; }

/// Where nothing was measured but, at most, the exponent.
JobSpeed scaled_alone(double exponent, int gpus, int requested) {
    const auto rate = [exponent](int count) {
        return Rate{.samples_per_s = std::pow(static_cast<double>(count), exponent), .working = count, .single = 1};
    };
    return {.work_per_s = rate(gpus).samples_per_s / rate(requested).samples_per_s,
            .communication_fraction = rate(gpus).communication_fraction()};
}

}  // namespace

const RateCurve* ProfileCostModel::Model::find(Name gpu_type) const {
    const auto found = std::find_if(curves.begin(), curves.end(), [&](const auto& known) { return known.first == gpu_type; });
    return found == curves.end() ? nullptr : &found->second;
}

ProfileCostModel::ProfileCostModel(const Cluster& cluster, std::vector<Profile> profiles)
    : cluster_(cluster), capacity_(cluster.capacity()) {
    models_.reserve(profiles.size());
    for (Profile& profile : profiles) {
        if (!index_.try_emplace(profile.model, models_.size()).second) {
            refuse_value("model", profile.model.text(), "one profile per model");
        }
        models_.push_back(make_model(std::move(profile)));
    }
}

ProfileCostModel::Model ProfileCostModel::make_model(Profile profile) const {
    Model model;
    model.communication = Communication::over(cluster_, profile.gradient);
    model.by_type.resize(cluster_.gpu_types.size());
    for (const auto& [name, gpu] : profile.gpus) {
        const auto type = cluster_.find(name.text());
        RateCurve curve(profile, gpu, type ? &cluster_.type(*type) : nullptr);
        if (!curve.usable()) { continue; }
        if (type) { model.by_type[type->index()] = model.curves.size(); }
        model.curves.emplace_back(name, std::move(curve));
    }
    model.profile = std::move(profile);
    return model;
}

const ProfileCostModel::Model* ProfileCostModel::model_of(const Job& job) const {
    if (models_.empty() || job.model.empty()) { return nullptr; }
    const auto found = index_.find(job.model);
    return found == index_.end() ? nullptr : &models_[found->second];
}

const Profile* ProfileCostModel::profile(Name model) const {
    const auto found = index_.find(model);
    return found == index_.end() ? nullptr : &models_[found->second].profile;
}

JobSpeed ProfileCostModel::speed(const Job& job, GpuTypeId type, int gpus) const {
    if (gpus <= 0) { return {}; }
    const Model* model = model_of(job);
    if (job.steps == 0) { return speed_of_duration(job, model, type, gpus); }
    const RateCurve* curve = model != nullptr ? model->find(type) : nullptr;
    if (curve == nullptr) { return {}; }
    const Rate rate = communicating(*model, *curve, cluster_.type(type).name, curve->at(gpus, batch_of(job)), batch_of(job));
    return {.work_per_s = rate.samples_per_s / static_cast<double>(job.batch_size),
            .communication_fraction = rate.communication_fraction()};
}

JobSpeed ProfileCostModel::speed_of_duration(const Job& job, const Model* model, GpuTypeId type, int gpus) const {
    const Name name = cluster_.type(type).name;
    const RateCurve* curve = model != nullptr ? model->find(type) : nullptr;
    const bool foreign = !job.reference_gpu_type.empty() && job.reference_gpu_type != name;
    if (model != nullptr && foreign) {
        if (const auto reference = reference_rate(job, *model)) {
            if (curve == nullptr) { return {}; }
            const Samples slice = slice_of(job, requested_gpus(job, job.reference_gpu_type));
            const Rate rate = communicating(*model, *curve, name, curve->at_slice(gpus, batch_of(job), slice), batch_of(job));
            return {.work_per_s = rate.samples_per_s / reference->samples_per_s, .communication_fraction = rate.communication_fraction()};
        }
    }
    const int requested = requested_gpus(job, name);
    if (requested <= 0) { return {}; }
    if (curve == nullptr) { return scaled_alone(model != nullptr ? model->profile.scaling_exponent.value_or(1) : 1, gpus, requested); }
    const Samples slice = slice_of(job, requested);
    const auto rate_of = [&](int count) {
        return communicating(*model, *curve, name, curve->at_slice(count, batch_of(job), slice), batch_of(job));
    };
    const Rate rate = rate_of(gpus);
    return {.work_per_s = rate.samples_per_s / rate_of(requested).samples_per_s, .communication_fraction = rate.communication_fraction()};
}

JobSpeed ProfileCostModel::speed(const Job& job, const Plan& plan) const {
    const Model* model = model_of(job);
    if (model == nullptr) { return {}; }
    const PlanCost cost = evaluate(plan, model->profile, cluster_.gpu_types, model->communication);
    const double waiting = cost.communication / cost.step;
    if (job.steps > 0) {
        return {.work_per_s = cost.samples_per_s / static_cast<double>(job.batch_size), .communication_fraction = waiting};
    }
    Job measured = job;
    if (measured.reference_gpu_type.empty()) { measured.reference_gpu_type = plan.groups.front().gpu_type; }
    const auto reference = reference_rate(measured, *model);
    if (!reference) { return {}; }
    return {.work_per_s = cost.samples_per_s / reference->samples_per_s, .communication_fraction = waiting};
}

Rate ProfileCostModel::communicating(const Model& model, const RateCurve& curve, Name type, Rate rate, Samples batch) const {
    if (curve.scaling_measured() || batch.value <= 0 || rate.working < 2 || !cluster_.find(type.text())) { return rate; }
    const TypeCount gang{.type = type, .gpus = rate.working};
    const double compute = static_cast<double>(batch.value) / rate.samples_per_s;
    rate.samples_per_s = static_cast<double>(batch.value) / (compute + model.communication.seconds({&gang, 1}).value);
    return rate;
}

/// The gang; for a pool job the number of GPUs of this type.
int ProfileCostModel::requested_gpus(const Job& job, Name type) const {
    if (!job.whole_pool()) { return job.gpus; }
    const auto known = cluster_.find(type.text());
    return known ? capacity_[known->index()] : 0;
}

/// Rate on the GPUs that the duration was measured on; empty if the profile does not tell.
std::optional<Rate> ProfileCostModel::reference_rate(const Job& job, const Model& model) const {
    const RateCurve* curve = model.find(job.reference_gpu_type);
    const int requested = requested_gpus(job, job.reference_gpu_type);
    if (curve == nullptr || requested <= 0) { return std::nullopt; }
    const Rate rate = curve->at_slice(requested, batch_of(job), slice_of(job, requested));
    return communicating(model, *curve, job.reference_gpu_type, rate, batch_of(job));
}

}  // namespace medley
