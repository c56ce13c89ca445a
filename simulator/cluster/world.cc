#include "simulator/cluster/world.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/rng.h"

namespace medley::simulator {

World::World(const std::vector<Job>& jobs, const CostModel& truth, WorldOptions options) : jobs_(jobs), truth_(truth), options_(options) {}

JobSpeed World::speed(JobId id, const Allocation& held) const {
    if (held.plan) {
        JobSpeed speed = truth_.speed(job(id), *held.plan);
        speed.work_per_s *= noise(id, held.grants);
        return speed;
    }
    JobSpeed best;
    for (const Grant& grant : held.grants) {
        JobSpeed alone = truth_.speed(job(id), grant.type, grant.gpus);
        alone.work_per_s *= noise(id, {&grant, 1});
        if (alone.work_per_s > best.work_per_s) { best = alone; }
    }
    return best;
}

JobSpeed World::interim_speed(JobId id, const Allocation& kept, JobSpeed before) const {
    const JobSpeed remainder = speed(id, Allocation{.grants = kept.grants, .plan = nullptr});
    return remainder.work_per_s < before.work_per_s ? remainder : before;
}

// A step waits for its slowest device, so the least of the types' factors counts.
double World::noise(JobId id, std::span<const Grant> grants) const {
    if (options_.speed_noise == 0) { return 1; }
    double least = HUGE_VAL;
    for (const Grant& grant : grants) {
        Rng stream = Rng(options_.seed).fork(fmt::format("speed of job {} on type {}", id.value, grant.type.value));
        least = std::min(least, std::exp(options_.speed_noise * stream.normal(0, 1)));
    }
    return least;
}

}  // namespace medley::simulator
