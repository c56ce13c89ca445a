#include "planner/virtual_nodes/planner.h"

#include "planner/virtual_nodes/report.h"
#include "planner/virtual_nodes/solve.h"

namespace medley::planner {
namespace {

/// A search that was cut off must still not lose to the best single type.
PlanOutcome no_worse_than(PlanOutcome best, const PlanOutcome& baseline) {
    if (!baseline.feasible() || (best.feasible() && best.best->value <= baseline.best->value)) { return best; }
    const double bound = best.feasible() ? std::min(best.best->bound, baseline.best->bound) : 0;
    best = baseline;
    best.best->bound = bound;
    best.best->optimal = false;
    return best;
}

bool proved(const PlanOutcome& outcome) { return outcome.feasible() && outcome.best->optimal; }

}  // namespace

PlanOutcome best_plan(const PlanRequest& request) {
    validate(request);
    TableCache cache;
    PlanOutcome best = answer(request, {}, cache);
    return proved(best) ? best : no_worse_than(std::move(best), best_on_one_type(request, cache));
}

PlanReport plan_report(const PlanRequest& request) {
    validate(request);
    TableCache cache;
    PlanReport report;
    report.best = answer(request, {}, cache);
    report.baseline = best_on_one_type(request, cache);
    if (!proved(report.best)) { report.best = no_worse_than(std::move(report.best), report.baseline); }
    report.equal_size = best_of_equal_size(request, cache);
    if (!report.best.feasible()) { return report; }
    report.marginals = marginal_values(request, *report.best.best, cache);
    report.binding_constraint = binding_constraint(request, *report.best.best, report.marginals, cache);
    return report;
}

}  // namespace medley::planner
