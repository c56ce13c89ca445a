#include "tests/support/chaos_policy.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace medley::test {
namespace {

std::shared_ptr<const Plan> one_sample_per_gpu(const ClusterView& view, const Grants& grants) {
    auto plan = std::make_shared<Plan>();
    plan->model = Name("toy");
    for (const Grant& grant : grants) {
        plan->groups.push_back({.gpu_type = view.cluster().type(grant.type).name, .replicas = grant.gpus, .virtual_nodes = {Samples{1}}});
        plan->global_batch += Samples{grant.gpus};
    }
    return plan;
}

}  // namespace

ChaosPolicy::ChaosPolicy(std::uint64_t seed, ChaosOptions options) : random_(seed), options_(options) {
    traits_.name = "chaos";
    traits_.asked_after_transitions = options.asked_after_transitions;
}

Decision ChaosPolicy::decide(const ClusterView& view) {
    Decision decision;
    if (view.present_count() > 0) { decision.ask_again = view.now() + SimTime{random_.between(1, 60'000'000'000)}; }
    if (view.now() == last_) { return decision; }  // or a moment would never end
    last_ = view.now();
    free_.clear();
    for (std::size_t type = 0; type < view.type_count(); ++type) { free_.push_back(view.free(GpuTypeId(type))); }
    for (const JobId job : view.present()) {
        if (random_.chance(view.held(job).empty() ? options_.launch : options_.touch)) { change(decision, view, job); }
    }
    return decision;
}

void ChaosPolicy::change(Decision& decision, const ClusterView& view, JobId job) {
    const Allocation& held = view.held(job);
    for (const Grant& grant : held.grants) { free_[grant.type.index()] += grant.gpus; }
    Allocation target;
    if (held.empty() || !random_.chance(options_.stop)) { target = draw(view, job); }
    for (const Grant& grant : target.grants) { free_[grant.type.index()] -= grant.gpus; }
    decision.changes.push_back({.job = job, .target = std::move(target)});
}

Allocation ChaosPolicy::draw(const ClusterView& view, JobId job) {
    Allocation allocation;
    const auto first = random_.below(view.type_count());
    for (std::size_t offset = 0; offset < view.type_count(); ++offset) {
        const GpuTypeId type{(first + offset) % view.type_count()};
        if (!view.job(job).allows(type) || free_[type.index()] <= 0) { continue; }
        const auto gpus = static_cast<int>(random_.between(1, std::min(free_[type.index()], 2 * view.job(job).gpus)));
        allocation.grants.push_back({.type = type, .gpus = gpus});
        if (!options_.mixed || random_.chance(0.7)) { break; }
    }
    std::sort(allocation.grants.begin(), allocation.grants.end(), [](const Grant& a, const Grant& b) { return a.type < b.type; });
    if (allocation.grants.size() > 1) { allocation.plan = one_sample_per_gpu(view, allocation.grants); }
    return allocation;
}

}  // namespace medley::test
