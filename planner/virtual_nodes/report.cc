#include "planner/virtual_nodes/report.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "planner/virtual_nodes/solve.h"

namespace medley::planner {
namespace {

/// Gains smaller than this part of the value are rounding.
constexpr double kNoticeable = 1e-9;

void keep_better(PlanOutcome& best, PlanOutcome candidate) {
    if (!best.feasible() || (candidate.feasible() && candidate.best->value < best.best->value * (1 - kTie))) {
        best = std::move(candidate);
    }
}

double limit_from(const PlanOutcome& best) { return best.feasible() ? best.best->value : kNoValue; }

/// Remembers the relaxation that gains most.
class Relaxations {
 public:
    Relaxations(const PlannedJob& best, TableCache& cache) : value_(best.value), cache_(cache) {}

    void offer(const std::string& name, double gain) {
        if (gain <= most_ + kNoticeable * value_) { return; }
        most_ = gain;
        name_ = name;
    }
    void offer(const std::string& name, const PlanRequest& relaxed, const Variant& variant = {}) {
        // Only what gains more than the best so far is of interest, which keeps the search short.
        const double value = best_value(relaxed, variant, cache_, value_ - most_);
        if (value < kNoValue) { offer(name, value_ - value); }
    }
    const std::string& name() const { return name_; }

 private:
    double value_;
    TableCache& cache_;
    double most_ = 0;
    std::string name_ = "none";
};

bool memory_matters(const PlanRequest& request, const GpuType& type) {
    GpuType unlimited = type;
    unlimited.memory.reset();
    return usable_points(request, type).size() < usable_points(request, unlimited).size();
}

void relax_memory(const PlanRequest& request, Relaxations& relaxations) {
    for (std::size_t index = 0; index < request.offered.size(); ++index) {
        const OfferedGpus& offered = request.offered[index];
        if (offered.gpus == 0 || !memory_matters(request, offered.type)) { continue; }
        PlanRequest relaxed = request;
        relaxed.offered[index].type.memory.reset();
        relaxations.offer(fmt::format("memory:{}", offered.type.name.text()), relaxed);
    }
}

void relax_rules(const PlanRequest& request, Relaxations& relaxations) {
    PlanRequest relaxed = request;
    relaxed.batch_rule = BatchRule::kAny;
    if (request.virtual_nodes.empty() && request.batch_rule != BatchRule::kAny) { relaxations.offer("batch-rule", relaxed); }
    relaxed.virtual_nodes.clear();
    if (!request.virtual_nodes.empty()) { relaxations.offer("virtual-nodes", relaxed); }
}

}  // namespace

PlanOutcome best_on_one_type(const PlanRequest& request, TableCache& cache) {
    PlanOutcome best{.best = std::nullopt, .reason = "no GPUs"};
    std::vector<OfferedGpus> by_name = request.offered;
    std::sort(by_name.begin(), by_name.end(), [](const OfferedGpus& a, const OfferedGpus& b) { return a.type.name < b.type.name; });
    for (const OfferedGpus& offered : by_name) {
        if (offered.gpus == 0) { continue; }
        PlanRequest alone = request;
        alone.every_type = false;
        alone.offered = {offered};
        keep_better(best, answer(alone, {}, cache, limit_from(best)));
    }
    return best;
}

PlanOutcome best_of_equal_size(const PlanRequest& request, TableCache& cache) {
    PlanRequest free = request;
    free.virtual_nodes.clear();
    std::set<Samples, std::greater<>> sizes;
    for (const OfferedGpus& offered : free.offered) {
        if (offered.gpus == 0) { continue; }
        for (const ProfilePoint& point : usable_points(free, offered.type)) { sizes.insert(point.batch); }
    }
    PlanOutcome best{.best = std::nullopt, .reason = "no size can run on the offered GPUs"};
    for (const Samples size : sizes) { keep_better(best, answer(free, Variant{.only_size = size}, cache, limit_from(best))); }
    return best;
}

std::vector<MarginalValue> marginal_values(const PlanRequest& request, const PlannedJob& best, TableCache& cache) {
    std::vector<MarginalValue> marginals;
    for (std::size_t index = 0; index < request.offered.size(); ++index) {
        PlanRequest more = request;
        ++more.offered[index].gpus;
        MarginalValue marginal{.gpu_type = request.offered[index].type.name};
        const PlanOutcome outcome = answer(more, {}, cache, best.value * (1 - kNoticeable));
        if (outcome.feasible()) {
            marginal.throughput_gain = outcome.best->cost.samples_per_s - best.cost.samples_per_s;
            marginal.value_gain = best.value - outcome.best->value;
        }
        marginals.push_back(marginal);
    }
    return marginals;
}

std::string binding_constraint(const PlanRequest& request, const PlannedJob& best, const std::vector<MarginalValue>& marginals,
                               TableCache& cache) {
    Relaxations relaxations(best, cache);
    for (const MarginalValue& marginal : marginals) {
        relaxations.offer(fmt::format("gpus:{}", marginal.gpu_type.text()), marginal.value_gain);
    }
    relax_memory(request, relaxations);
    if (best.cost.communication > Seconds{0}) {
        PlanRequest relaxed = request;
        relaxed.communication = Communication();
        relaxations.offer("communication", relaxed);
    }
    relax_rules(request, relaxations);
    PlanRequest sizes_free = request;
    sizes_free.virtual_nodes.clear();
    if (request.virtual_nodes.empty()) { relaxations.offer("exact-batch", sizes_free, Variant{.exact_sum = false}); }
    relaxations.offer("profiled-sizes", sizes_free, Variant{.divisible = true});
    return relaxations.name();
}

}  // namespace medley::planner
