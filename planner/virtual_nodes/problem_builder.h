#pragma once
/// From a request to the planner's numbers: which sizes run where, tables of times, weights and regions.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "planner/virtual_nodes/planner.h"
#include "planner/virtual_nodes/problem.h"

namespace medley::planner {

/// Tables of batch times shared by related questions (a plan, its baseline, one more GPU of a type). Not thread-safe.
class TableCache {
 public:
    std::shared_ptr<BatchTable> table(const std::vector<TimedSize>& sizes);

 private:
    std::map<std::vector<std::pair<std::int64_t, double>>, std::shared_ptr<BatchTable>> tables_;
};

/// How a question departs from its request.
struct Variant {
    std::optional<Samples> only_size;  ///< all virtual nodes of this size
    bool divisible = false;            ///< any size, at each type's best rate
    bool exact_sum = true;             ///< false: more samples than the batch allowed
};

/// A problem, or why there is nothing to search.
struct BuiltProblem {
    Problem problem;
    std::string reason;  ///< empty = there may be a plan
};

/// Throws medley::Error on wrong input (see `best_plan`).
void validate(const PlanRequest& request);

/// Requires a validated request. Types are ordered by name, so the order in which they are offered cannot matter.
BuiltProblem build_problem(const PlanRequest& request, const Variant& variant, TableCache& cache);

/// Price or power of one GPU held for a second; 1 for throughput. Throws medley::Error if it is not known.
double weight_of(const GpuType& type, Objective objective);

/// Points of the profile that fit the type's memory and the batch, ascending.
std::vector<ProfilePoint> usable_points(const PlanRequest& request, const GpuType& type);

}  // namespace medley::planner
