#include "sched/belief.h"

#include <algorithm>
#include <functional>

#include "sched/belief_maker.h"

namespace medley {

const char* to_string(InformationClass information) {
    switch (information) {
        case InformationClass::kOracle: return "oracle";
        case InformationClass::kDeclared: return "declared";
        case InformationClass::kLearned: return "learned";
    }
    return "unknown";
}

std::size_t BeliefMaker::KeyHash::operator()(const Key& key) const noexcept {
    std::size_t hash = std::hash<Name>{}(key.model);
    const auto mix = [&hash](std::size_t value) { hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL + (hash >> 29); };
    mix(std::hash<Name>{}(key.reference));
    mix(static_cast<std::size_t>(key.batch));
    mix(static_cast<std::size_t>(key.gpus));
    mix(static_cast<std::size_t>(key.min_gpus));
    mix(static_cast<std::size_t>(key.max_gpus));
    mix(key.allowed + (key.counts_steps ? 1 : 0));
    return hash;
}

BeliefMaker::BeliefMaker(const Cluster& cluster, const CostModel& believed, InformationClass information)
    : cluster_(cluster), believed_(believed), information_(information), capacity_(cluster.capacity()) {}

JobBelief BeliefMaker::believe(const Job& job, JobId id) {
    const GpuTypeMask allowed = allowed_types(job);
    JobBelief belief{.id = id,
                     .submit = job.submit,
                     .model = job.model,
                     .gpus = job.gpus,
                     .min_gpus = job.min_gpus,
                     .max_gpus = job.max_gpus,
                     .batch_size = job.batch_size,
                     .priority = job.priority,
                     .weight = job.weight,
                     .deadline = job.deadline,
                     .allowed = allowed,
                     .extras = job.extras,
                     .run_time = {},
                     .walltime = job.walltime,
                     .total_work = {},
                     .kind = kind_of(job, allowed)};
    const JobKind& kind = kinds_[belief.kind];
    belief.allowed = kind.runnable;
    if (information_ == InformationClass::kLearned || kind.best_speed <= 0) { return belief; }
    const double reference_speed = job.steps > 0 ? kind.best_speed : 1;
    const Seconds run_time{total_work(job) / reference_speed};
    if (information_ == InformationClass::kOracle) { belief.total_work = total_work(job); }
    belief.run_time = information_ == InformationClass::kDeclared ? job.walltime.value_or(run_time) : run_time;
    return belief;
}

GpuTypeMask BeliefMaker::allowed_types(const Job& job) const {
    if (job.allowed_types().empty()) { return ~GpuTypeMask{0}; }
    GpuTypeMask mask = 0;
    for (const Name& name : job.allowed_types()) {
        if (const auto type = cluster_.find(name.text())) { mask |= GpuTypeMask{1} << type->index(); }
    }
    return mask;
}

std::uint32_t BeliefMaker::kind_of(const Job& job, GpuTypeMask allowed) {
    const Key key{.model = job.model,
                  .reference = job.reference_gpu_type,
                  .batch = job.batch_size,
                  .gpus = job.gpus,
                  .min_gpus = job.min_gpus,
                  .max_gpus = job.max_gpus,
                  .counts_steps = job.steps > 0,
                  .allowed = allowed};
    const auto [place, added] = index_.try_emplace(key, static_cast<std::uint32_t>(kinds_.size()));
    if (added) { kinds_.push_back(make_kind(job, allowed)); }
    return place->second;
}

JobKind BeliefMaker::make_kind(const Job& job, GpuTypeMask allowed) const {
    JobKind kind;
    double pools = 0;
    int runnable_types = 0;
    for (std::size_t index = 0; index < capacity_.size(); ++index) {
        const int capacity = capacity_[index];
        const int least = std::max(job.min_gpus > 0 ? job.min_gpus : job.gpus, 1);
        if (((allowed >> index) & 1U) == 0 || capacity < least) { continue; }
        const int gpus = job.whole_pool() ? capacity : std::min(job.gpus, capacity);
        const double speed = believed_.speed(job, GpuTypeId(index), gpus).work_per_s;
        if (speed <= 0) { continue; }
        kind.runnable |= GpuTypeMask{1} << index;
        kind.best_speed = std::max(kind.best_speed, speed);
        kind.mean_speed += speed * capacity / cluster_.total_gpus();
        pools += capacity;
        ++runnable_types;
    }
    if (!job.whole_pool()) { kind.nominal_gpus = job.gpus; }
    if (job.whole_pool() && runnable_types > 0) { kind.nominal_gpus = pools / runnable_types; }
    return kind;
}

}  // namespace medley
