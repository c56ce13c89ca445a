#pragma once
/// Clusters, traces and mishaps drawn from a seed.

#include <cstdint>
#include <memory>

#include "cost/profile_cost_model.h"
#include "simulator/cluster/simulation.h"

namespace medley::test {

struct Mishaps {
    bool capacity = false;  ///< GPUs come and go
    bool delays = false;    ///< start-up, checkpoints, late decisions
};

/// Up to three types with up to eight GPUs, up to forty jobs: durations without a model, and steps of two profiled models; gangs and
/// pools; some confined to one type, some elastic; weights and priorities 1, 5, 10. No two are submitted at the same time.
struct Scenario {
    Scenario(std::uint64_t seed, Mishaps mishaps);

    Cluster cluster;
    Trace trace;
    simulator::SimulationOptions options;
    std::unique_ptr<ProfileCostModel> speeds;
};

}  // namespace medley::test
