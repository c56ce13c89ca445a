#include "random_scenario.h"

#include <string>

#include "core/rng.h"
#include "tests/support/toy_cluster.h"

namespace medley::test {
namespace {

Cluster random_cluster(Rng random) {
    std::vector<int> gpus(random.below(3) + 1);
    for (int& each : gpus) { each = static_cast<int>(random.between(1, 8)); }
    return toy_cluster(gpus);
}

/// Samples of any power of two up to 32, every type with a speed of its own.
Profile random_profile(const std::string& model, const Cluster& cluster, Rng random) {
    Profile profile{.model = Name(model), .scaling_exponent = random.uniform(0.5, 1)};
    for (const GpuType& type : cluster.gpu_types) {
        const double one = random.uniform(0.05, 0.5);
        for (std::int64_t size = 1; size <= 32; size *= 2) {
            profile.gpus[type.name].points.push_back({Samples{size}, Seconds{0.2 + one * static_cast<double>(size)}, {}});
        }
    }
    return profile;
}

int largest_pool(const Cluster& cluster) {
    int most = 0;
    for (const int gpus : cluster.capacity()) { most = std::max(most, gpus); }
    return most;
}

void draw_work(Job& job, Rng& random) {
    if (random.chance(0.5)) {
        job.duration = Seconds{random.uniform(20, 3000)};
        return;
    }
    job.model = Name(random.chance(0.5) ? "m0" : "m1");
    job.batch_size = std::int64_t{1} << random.between(3, 6);
    job.steps = random.between(10, 400);
}

Job random_job(const Cluster& cluster, Rng& random) {
    Job job;
    job.gpus = static_cast<int>(random.between(1, largest_pool(cluster)));
    if (random.chance(0.1)) { job.gpus = kWholePool; }
    draw_work(job, random);
    const double levels[] = {1, 5, 10};
    job.priority = job.weight = levels[random.below(3)];
    if (!job.whole_pool() && random.chance(0.3)) { job.min_gpus = 1; }
    if (random.chance(0.2)) {
        const std::size_t type = random.below(cluster.gpu_types.size());
        auto extras = std::make_shared<JobExtras>();
        extras->gpu_types = {cluster.gpu_types[type].name};
        job.extras = extras;
        if (!job.whole_pool()) { job.gpus = std::min(job.gpus, cluster.capacity()[type]); }
    }
    return job;
}

Trace random_trace(const Cluster& cluster, Rng random) {
    Trace trace;
    SimTime now{0};
    const auto jobs = random.between(1, 40);
    const double gap_s = random.uniform(1, 600);
    for (std::int64_t index = 0; index < jobs; ++index) {
        Job job = random_job(cluster, random);
        job.id = std::to_string(index);
        job.submit = now;
        trace.jobs.push_back(std::move(job));
        now += to_sim_time(Seconds{1 + random.exponential(gap_s)});
    }
    return trace;
}

/// Pairs of less and more: all capacity is back in the end.
std::vector<simulator::CapacityChange> random_availability(const Cluster& cluster, Rng random) {
    std::vector<simulator::CapacityChange> changes;
    for (std::size_t type = 0; type < cluster.gpu_types.size(); ++type) {
        double from = random.uniform(0, 2000);
        for (int outage = 0; outage < 3; ++outage) {
            const auto lost = static_cast<int>(random.between(1, cluster.capacity()[type]));
            const double until = from + random.uniform(1, 2000);
            changes.push_back({.time = at(from), .type = GpuTypeId(type), .delta = -lost});
            changes.push_back({.time = at(until), .type = GpuTypeId(type), .delta = lost});
            from = until + random.uniform(1, 2000);
        }
    }
    return changes;
}

}  // namespace

Scenario::Scenario(std::uint64_t seed, Mishaps mishaps) {
    const Rng root(seed);
    cluster = random_cluster(root.fork("cluster"));
    trace = random_trace(cluster, root.fork("trace"));
    if (mishaps.capacity) { options.availability = random_availability(cluster, root.fork("availability")); }
    if (mishaps.delays) {
        Rng random = root.fork("delays");
        options.scheduler.costs = {.startup = Seconds{random.uniform(0, 60)},
                                   .restart = Seconds{random.uniform(0, 60)},
                                   .resize = Seconds{random.uniform(0, 60)},
                                   .checkpoint = Seconds{random.uniform(0, 20)}};
        if (random.chance(0.5)) { options.scheduler.policy_latency = Seconds{random.uniform(0, 30)}; }
        if (random.chance(0.5)) { options.checkpoint_interval = Seconds{random.uniform(1, 300)}; }
    }
    std::vector<Profile> profiles{random_profile("m0", cluster, root.fork("m0")), random_profile("m1", cluster, root.fork("m1"))};
    speeds = std::make_unique<ProfileCostModel>(cluster, std::move(profiles));
}

}  // namespace medley::test
