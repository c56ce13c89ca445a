#pragma once
/// Synthetic traces (`medley trace generate`): Poisson arrivals, gang sizes by weight, log-uniform durations, models from a list.

#include <cstdint>
#include <vector>

#include "core/job.h"
#include "core/name.h"
#include "core/units.h"

namespace medley::simulator {

struct GangWeight {
    int gpus = 1;
    double weight = 1;
};

/// The defaults are the mix of Gavel's generator: 70 % of jobs on 1 GPU, 10 % on 2, 15 % on 4, 5 % on 8.
struct SyntheticOptions {
    std::size_t jobs = 1000;
    double jobs_per_hour = 60;  ///< Poisson; 0 = all at time 0
    std::vector<GangWeight> gangs = {{1, 0.70}, {2, 0.10}, {4, 0.15}, {8, 0.05}};
    Seconds shortest{60};  ///< durations are log-uniform in [shortest, longest]
    Seconds longest{36'000};
    std::vector<Name> models;           ///< uniformly drawn; empty = no model
    Name reference_gpu_type;            ///< the type durations are meant for; empty = any
    double high_priority_fraction = 0;  ///< this share of jobs gets `high_priority`, the others 1
    double high_priority = 5;
    double elastic_fraction = 0;  ///< this share may shrink to one GPU (`min_gpus` 1)
    std::uint64_t seed = 0;
};

/// Jobs named 0, 1, 2, ... in order of arrival. Each property has its own random stream, so that changing one option leaves the other
/// properties of every job as they were. Throws medley::Error for options out of range.
Trace generate(const SyntheticOptions& options);

/// The arrival rate at which the mean demand is `load` x `gpus` GPUs.
double jobs_per_hour_for_load(const SyntheticOptions& options, double load, int gpus);

}  // namespace medley::simulator
