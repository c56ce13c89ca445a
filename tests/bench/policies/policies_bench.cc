// What one fair allocation of many jobs costs, after the first round: the program, and the second one that keeps jobs in place.
// (Whole simulations of a million jobs under fifo and srtf stand in tests/bench/cluster.)

#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/rng.h"
#include "planner/policies/grouped_shares.h"
#include "planner/policies/max_min_het.h"
#include "planner/policies/policy_table.h"
#include "planner/solvers/lp_solver_table.h"
#include "sched/scheduler.h"

namespace medley::planner {
namespace {

Cluster fleet(const std::vector<int>& gpus) {
    Cluster cluster{.name = "bench"};
    for (std::size_t type = 0; type < gpus.size(); ++type) {
        cluster.gpu_types.push_back({.name = Name("t" + std::to_string(type))});
        cluster.nodes.push_back({.name = "n" + std::to_string(type), .count = gpus[type], .gpu = GpuTypeId(type), .gpus = 1});
    }
    return cluster;
}

struct NoLog : EventSink {
    void record(const LogRecord&) override {}
};

/// Speeds drawn by model name and type.
class DrawnSpeeds : public CostModel {
 public:
    JobSpeed speed(const Job& job, GpuTypeId type, int gpus) const override {
        Rng random = Rng(7).fork(job.model.text() + "/" + std::to_string(type.index()));
        return {.work_per_s = gpus * random.uniform(0.2, 3)};
    }
    JobSpeed speed(const Job&, const Plan&) const override { return {}; }
    const Profile* profile(Name) const override { return nullptr; }
};

/// Jobs of `kinds` kinds: models on gangs of 1, 2, 4 and 8, all present at once.
std::vector<Job> mixed_jobs(int jobs, int kinds) {
    Rng random(1);
    std::vector<Job> mixed(static_cast<std::size_t>(jobs));
    for (std::size_t index = 0; index < mixed.size(); ++index) {
        const auto kind = static_cast<int>(random.below(static_cast<std::uint64_t>(kinds)));
        mixed[index].id = std::to_string(index);
        mixed[index].model = Name("m" + std::to_string(kind));
        mixed[index].gpus = 1 << (kind % 4);
        mixed[index].steps = 1000;
        mixed[index].batch_size = 1;
    }
    return mixed;
}

void submit_all(Scheduler& scheduler, std::size_t jobs) {
    std::vector<Event> events;
    for (std::size_t index = 0; index < jobs; ++index) { events.emplace_back(JobSubmitted{JobId(index)}); }
    scheduler.handle(events, SimTime{0});
}

/// Arguments: jobs present, kinds. Three types with a quarter as many GPUs each as there are jobs.
void solve_max_min_het(benchmark::State& state) {
    const auto jobs = static_cast<int>(state.range(0));
    const Cluster cluster = fleet({jobs / 4, jobs / 4, jobs / 4});
    const std::vector<Job> trace = mixed_jobs(jobs, static_cast<int>(state.range(1)));
    const DrawnSpeeds speeds;
    NoLog log;
    const std::unique_ptr<Policy> policy = make_policy("max-min-het");
    Scheduler scheduler(cluster, trace, speeds, *policy, log, {.round = policy->traits().default_round});
    submit_all(scheduler, trace.size());
    const ClusterView view = scheduler.view(SimTime{0});
    const std::vector<JobId> present = view.present();
    Homes homes;
    for (const JobId job : present) {
        const Allocation& held = view.held(job);
        homes.push_back(held.empty() ? std::nullopt : std::optional(held.grants.front().type));
    }
    const std::unique_ptr<LpSolver> solver = make_lp_solver();
    for (auto _ : state) { benchmark::DoNotOptimize(max_min_shares(view, present, proportional_gains, homes, *solver)); }
}
BENCHMARK(solve_max_min_het)->Args({2000, 200})->Args({2000, 2000})->Args({500, 200})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace medley::planner
