#pragma once
/// The planner of one job: how a global batch is cut into virtual nodes and spread, unevenly, over unequal GPUs.
///
/// Minimises (T + communication(counts)) x weight(counts) with T = max over GPUs of the seconds of its virtual nodes; the weight is 1
/// (throughput), the price (cost per sample) or the power (energy per sample) of the GPUs used. Exact: the search proves its answer
/// or says by how much it may be off. VirtualFlow (Or et al., MLSys 2022, section 3) is the rule kPowerOfTwo with pairs of
/// types; the proofs and the order of ties are in this folder's README.
///
/// Thread rule: free functions without state; calls may run in parallel.

#include <optional>
#include <string>
#include <vector>

#include "core/cluster.h"
#include "core/plan.h"
#include "core/profile.h"
#include "core/units.h"
#include "cost/communication.h"
#include "cost/plan_cost.h"

namespace medley::planner {

enum class Objective { kThroughput, kCost, kEnergy };

enum class BatchRule {
    kAny,         ///< any per-GPU batch that profiled sizes compose; sizes mixed on a GPU, batches unequal within a type
    kPowerOfTwo,  ///< VirtualFlow: one batch 2^k or 3*2^k per type, 2^j equal virtual nodes of a profiled size
};

struct OfferedGpus {
    GpuType type;  ///< unknown memory = no limit
    int gpus = 0;
};

struct PlanRequest {
    const Profile* profile = nullptr;
    std::vector<OfferedGpus> offered;  ///< each type once; the order only orders the plan's groups
    Samples global_batch;
    Objective objective = Objective::kThroughput;
    BatchRule batch_rule = BatchRule::kAny;
    std::vector<Samples> virtual_nodes;  ///< if not empty: these sizes, only their places are free (the batch rule is then moot)
    Communication communication;
    bool exact = false;       ///< reserve memory for exact summation
    bool every_type = false;  ///< use at least one GPU of each type offered, as VirtualFlow's solver does for a pair
};

struct PlannedJob {
    Plan plan;  ///< groups in the order offered, larger batches first within a type
    PlanCost cost;
    double value = 0;      ///< of the objective, smaller is better: step seconds, usd a step or joules a step
    double bound = 0;      ///< no plan has a smaller value
    bool optimal = false;  ///< proved: value equals bound (to 1 part in 1e9)
};

struct PlanOutcome {
    std::optional<PlannedJob> best;
    std::string reason;  ///< why there is none

    bool feasible() const { return best.has_value(); }
};

struct MarginalValue {
    Name gpu_type;
    double throughput_gain = 0;  ///< samples/s more (less, if the objective prefers that) with one more GPU of the type
    double value_gain = 0;       ///< how much smaller the objective's value gets
};

struct PlanReport {
    PlanOutcome best;
    PlanOutcome baseline;    ///< the best plan on one GPU type
    PlanOutcome equal_size;  ///< the best plan whose virtual nodes are all of one size
    std::vector<MarginalValue> marginals;
    /// The constraint whose removal gains most: "gpus:TYPE" (one more), "memory:TYPE" (no limit), "communication" (free),
    /// "batch-rule" (any), "virtual-nodes" (sizes free), "exact-batch" (more samples than the batch allowed), "profiled-sizes"
    /// (work divisible at each type's best rate), or "none".
    std::string binding_constraint;
};

/// The plan alone, for callers in a hurry (policies ask for thousands). Throws medley::Error on wrong input: no GPUs offered, a batch
/// below 1, a list that does not add up to the batch, an objective whose price or power a usable type lacks.
PlanOutcome best_plan(const PlanRequest& request);

/// The plan and all that `medley plan` says about it. Cost: see the benchmark in tests/bench/virtual_nodes.
PlanReport plan_report(const PlanRequest& request);

}  // namespace medley::planner
