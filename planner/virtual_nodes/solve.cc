#include "planner/virtual_nodes/solve.h"

#include <algorithm>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "core/error.h"
#include "planner/virtual_nodes/list_search.h"
#include "planner/virtual_nodes/threshold_search.h"
#include "planner/virtual_nodes/uniform_search.h"

namespace medley::planner {
namespace {

constexpr double kProved = 1e-9;

std::vector<Samples> virtual_nodes_of(const Problem& problem, const TypeOffer& type, std::int64_t batch) {
    std::vector<Samples> sizes;
    if (!problem.uniform) {
        for (const std::int64_t size : type.table->compose(batch)) { sizes.push_back(Samples{size * problem.unit}); }
        return sizes;
    }
    const auto uniform =
        std::find_if(type.uniform.begin(), type.uniform.end(), [&](const UniformBatch& option) { return option.batch == batch; });
    MEDLEY_ASSERT(uniform != type.uniform.end());
    sizes.assign(static_cast<std::size_t>(batch / uniform->size), Samples{uniform->size * problem.unit});
    return sizes;
}

void add_groups(Plan& plan, const Problem& problem, const TypeOffer& type, const std::vector<std::int64_t>& batches) {
    for (std::size_t first = 0; first < batches.size();) {
        std::size_t last = first;
        while (last < batches.size() && batches[last] == batches[first]) { ++last; }
        ReplicaGroup group{.gpu_type = type.name, .replicas = static_cast<int>(last - first), .virtual_nodes = {}};
        group.virtual_nodes = virtual_nodes_of(problem, type, batches[first]);
        plan.groups.push_back(std::move(group));
        first = last;
    }
}

std::vector<Samples> virtual_nodes_of(const Problem& problem, const Load& load) {
    std::vector<Samples> sizes;
    for (std::size_t index = 0; index < load.size(); ++index) {
        sizes.insert(sizes.end(), static_cast<std::size_t>(load[index]), Samples{problem.list[index].size * problem.unit});
    }
    return sizes;
}

/// Larger batches first, equal loads in one group; idle GPUs are no part of the plan.
void add_groups(Plan& plan, const Problem& problem, const TypeOffer& type, const std::vector<Load>& loads) {
    std::map<std::pair<Samples, std::vector<Samples>>, int, std::greater<>> groups;
    for (const Load& load : loads) {
        ReplicaGroup group{.virtual_nodes = virtual_nodes_of(problem, load)};
        if (!group.virtual_nodes.empty()) { ++groups[{group.batch_per_replica(), group.virtual_nodes}]; }
    }
    for (const auto& [key, gpus] : groups) {
        plan.groups.push_back(ReplicaGroup{.gpu_type = type.name, .replicas = gpus, .virtual_nodes = key.second});
    }
}

Plan plan_of(const PlanRequest& request, const Problem& problem, const Solution& solution) {
    Plan plan{.model = request.profile->model, .global_batch = request.global_batch, .groups = {}};
    for (const OfferedGpus& offered : request.offered) {
        const auto type = std::find_if(problem.types.begin(), problem.types.end(),
                                       [&](const TypeOffer& candidate) { return candidate.name == offered.type.name; });
        if (type == problem.types.end()) { continue; }
        const auto index = static_cast<std::size_t>(type - problem.types.begin());
        if (problem.list.empty()) {
            add_groups(plan, problem, *type, solution.batches[index]);
        } else {
            add_groups(plan, problem, *type, solution.packed[index]);
        }
    }
    return plan;
}

std::string no_combination(const PlanRequest& request) {
    return fmt::format("no combination of the sizes that run on the offered GPUs adds up to the global batch of {}",
                       request.global_batch.value);
}

BuiltProblem build_checked(const PlanRequest& request, const Variant& variant, TableCache& cache) {
    BuiltProblem built = build_problem(request, variant, cache);
    const bool in_question = built.reason.empty() && built.problem.exact_sum && !built.problem.uniform && built.problem.list.empty();
    if (in_question && !composable(built.problem)) { built.reason = no_combination(request); }
    return built;
}

Solution solve(const BuiltProblem& built, double limit) {
    if (!built.reason.empty()) { return Solution{}; }
    if (!built.problem.list.empty()) { return search_list(built.problem, limit); }
    return built.problem.uniform ? search_uniform(built.problem, limit) : search_thresholds(built.problem, limit);
}

PlanOutcome nothing_found(const PlanRequest& request, const BuiltProblem& built, const Solution& solution) {
    if (!built.reason.empty()) { return PlanOutcome{.best = std::nullopt, .reason = built.reason}; }
    const bool proved = solution.bound == kNoValue;
    return PlanOutcome{.best = std::nullopt,
                       .reason = proved ? no_combination(request) : "no plan was found within the limits of the search"};
}

PlannedJob planned_job(const PlanRequest& request, const Problem& problem, Solution solution) {
    if (!problem.uniform && problem.list.empty()) { assign_batches(problem, solution); }
    PlannedJob job{.plan = plan_of(request, problem, solution), .cost = {}};
    job.cost = evaluate(job.plan, *request.profile, types_of(request), request.communication, request.exact);
    job.value = value_of(request.objective, job.cost, request.global_batch);
    job.optimal = solution.bound >= solution.value * (1 - kProved);
    job.bound = job.optimal ? job.value : std::min(solution.bound, job.value);
    return job;
}

}  // namespace

PlanOutcome answer(const PlanRequest& request, const Variant& variant, TableCache& cache, double limit) {
    const BuiltProblem built = build_checked(request, variant, cache);
    Solution solution = solve(built, limit);
    if (!solution.found()) { return nothing_found(request, built, solution); }
    return PlanOutcome{.best = planned_job(request, built.problem, std::move(solution)), .reason = {}};
}

double best_value(const PlanRequest& request, const Variant& variant, TableCache& cache, double limit) {
    return solve(build_checked(request, variant, cache), limit).value;
}

std::vector<GpuType> types_of(const PlanRequest& request) {
    std::vector<GpuType> types;
    for (const OfferedGpus& offered : request.offered) { types.push_back(offered.type); }
    return types;
}

double value_of(Objective objective, const PlanCost& cost, Samples global_batch) {
    const auto samples = static_cast<double>(global_batch.value);
    switch (objective) {
        case Objective::kThroughput: return cost.step.value;
        case Objective::kCost: return cost.usd_per_million_samples.value() / 1e6 * samples;
        case Objective::kEnergy: return cost.joules_per_sample.value() * samples;
    }
    return cost.step.value;
}

}  // namespace medley::planner
