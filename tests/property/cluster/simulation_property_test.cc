/// What must hold for every trace, cluster and policy: the log passes the independent checker, whose figures equal the metrics'; equal
/// inputs give equal bytes; names do not matter.

#include <algorithm>
#include <cstdlib>
#include <regex>

#include <gtest/gtest.h>

#include "core/rng.h"
#include "simulator/cluster/synthetic.h"
#include "tests/support/chaos_policy.h"
#include "tests/support/log_checker.h"
#include "tests/support/simulated_run.h"
#include "tests/support/toy_cluster.h"

namespace medley::test {
namespace {

using simulator::SimulationOptions;

struct Scenario {
    Cluster cluster;
    Trace trace;
    SimulationOptions options;
    ChaosOptions chaos;
    double exponent = 1;
};

Cluster random_cluster(Rng random) {
    std::vector<int> gpus(static_cast<std::size_t>(random.between(1, 4)));
    for (int& count : gpus) { count = static_cast<int>(random.between(1, 16)); }
    return toy_cluster(gpus);
}

int largest_pool(const Cluster& cluster) {
    const std::vector<int> capacity = cluster.capacity();
    return *std::max_element(capacity.begin(), capacity.end());
}

Trace random_trace(const Cluster& cluster, Rng random) {
    const int largest = largest_pool(cluster);
    simulator::SyntheticOptions options;
    options.jobs = static_cast<std::size_t>(random.between(1, 60));
    options.gangs = {{1, 3}, {std::min(2, largest), 2}, {largest, 1}};
    options.shortest = Seconds{0.001};
    options.longest = Seconds{2000};
    options.jobs_per_hour = random.chance(0.1) ? 0 : random.uniform(20, 400);
    options.elastic_fraction = 0.5;
    options.seed = random.next();
    Trace trace = simulator::generate(options);
    for (Job& job : trace.jobs) {
        if (random.chance(0.2)) { job.deadline = Seconds{random.uniform(1, 5000)}; }
        if (random.chance(0.2)) {
            JobExtras extras;
            extras.gpu_types = {cluster.gpu_types[random.below(cluster.gpu_types.size())].name};
            job.extras = std::make_shared<const JobExtras>(extras);
        }
    }
    return trace;
}

simulator::CapacityChange random_change(const std::vector<int>& capacity, Rng& random) {
    const auto type = random.below(capacity.size());
    return {.time = at(random.uniform(0, 4000)), .type = GpuTypeId(type), .delta = static_cast<int>(random.between(-1, 1))};
}

// Takes from each type at most what it has, whatever the order of times.
std::vector<simulator::CapacityChange> random_availability(const Cluster& cluster, Rng random) {
    std::vector<simulator::CapacityChange> changes;
    std::vector<int> left = cluster.capacity();
    for (auto count = random.between(0, 20); count > 0; --count) {
        const auto change = random_change(left, random);
        if (left[change.type.index()] + std::min(0, change.delta) < 0) { continue; }
        left[change.type.index()] += std::min(0, change.delta);
        changes.push_back(change);
    }
    return changes;
}

Seconds sometimes(Rng& random, double most) { return Seconds{random.chance(0.5) ? random.uniform(0, most) : 0}; }

Scenario random_scenario(std::uint64_t seed) {
    Rng random(seed);
    Scenario scenario;
    scenario.cluster = random_cluster(random.fork("cluster"));
    scenario.trace = random_trace(scenario.cluster, random.fork("trace"));
    SimulationOptions& options = scenario.options;
    options.availability = random_availability(scenario.cluster, random.fork("availability"));
    options.scheduler.round = random.chance(0.3) ? Seconds{random.uniform(1, 100)} : Seconds{0};
    options.scheduler.policy_latency = random.chance(0.2) ? Seconds{random.uniform(0, 5)} : Seconds{0};
    options.scheduler.costs = {.startup = sometimes(random, 80),
                               .restart = sometimes(random, 80),
                               .resize = sometimes(random, 60),
                               .checkpoint = sometimes(random, 10)};
    options.checkpoint_interval = sometimes(random, 100);
    options.speed_noise = random.chance(0.3) ? 0.3 : 0;
    options.seed = seed;
    scenario.chaos.mixed = random.chance(0.5);
    scenario.chaos.asked_after_transitions = random.chance(0.5);
    scenario.exponent = random.chance(0.5) ? 1 : 0.5;
    return scenario;
}

SimulatedRun play(const Scenario& scenario, std::uint64_t seed) {
    ChaosPolicy policy(seed, scenario.chaos);
    return run_simulation(scenario.cluster, scenario.trace, ToySpeeds(scenario.exponent), policy, scenario.options);
}

std::uint64_t scenarios() { return std::getenv("MEDLEY_LONG") != nullptr ? 5000 : 300; }

TEST(SimulationUnderAnyPolicy, LeavesALogThatTheIndependentCheckerAcceptsAndWhoseFiguresEqualTheMetrics) {
    std::size_t completed = 0;
    for (std::uint64_t seed = 0; seed < scenarios(); ++seed) {
        const SimulatedRun run = play(random_scenario(seed), seed);
        const LogReport report = check_log_text(run.events);
        ASSERT_TRUE(report.clean()) << "seed " << seed << ": " << report.violations.front();
        const auto differences = compare_with_summary(report, run.summary_json);
        ASSERT_TRUE(differences.empty()) << "seed " << seed << ": " << differences.front();
        completed += report.jobs_completed;
    }
    EXPECT_GT(completed, 10 * scenarios());  // the scenarios do something
}

TEST(SimulationUnderAnyPolicy, BooksEveryGpuNanosecondOnce) {
    for (std::uint64_t seed = 0; seed < scenarios(); ++seed) {
        const Scenario scenario = random_scenario(seed);
        const SimulatedRun run = play(scenario, seed);
        for (const GpuTime time : run.summary.ledger.bins) { ASSERT_GE(time, 0) << "seed " << seed; }
        if (!scenario.options.availability.empty()) { continue; }
        const SimTime span = run.result.end - scenario.trace.jobs.front().submit;
        ASSERT_EQ(run.summary.ledger.total(), GpuTime{scenario.cluster.total_gpus()} * span.value) << "seed " << seed;
    }
}

double booked(const LedgerSeries& series, LedgerBin bin) {
    double sum = 0;
    for (std::size_t stretch = 0; stretch < series.stretches(); ++stretch) {
        for (std::size_t type = 0; type < series.types(); ++type) { sum += series.gpu_seconds(stretch, GpuTypeId(type), bin); }
    }
    return sum;
}

TEST(SimulationUnderAnyPolicy, BooksOverTimeWhatItBooksInAll) {
    for (std::uint64_t seed = 0; seed < scenarios(); ++seed) {
        const SimulatedRun run = play(random_scenario(seed), seed);
        const double whole = gpu_seconds(run.summary.ledger.total());
        for (std::size_t bin = 0; bin < kLedgerBins; ++bin) {
            const double over_time = booked(*run.ledger_over_time, static_cast<LedgerBin>(bin));
            ASSERT_NEAR(over_time, gpu_seconds(run.summary.ledger.bins[bin]), 1e-9 * whole)
                << "seed " << seed << ", " << kLedgerBinNames[bin];
        }
    }
}

TEST(SimulationUnderAnyPolicy, GivesEqualBytesForEqualInputs) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const SimulatedRun once = play(random_scenario(seed), seed);
        const SimulatedRun again = play(random_scenario(seed), seed);
        ASSERT_EQ(once.events, again.events);
        ASSERT_EQ(once.summary_json, again.summary_json);
    }
}

TEST(SimulationUnderAnyPolicy, DoesNotDependOnTheOrderOfRows) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        Scenario scenario = random_scenario(seed);
        const std::string before = play(scenario, seed).events;
        Rng(seed).shuffle(std::span(scenario.trace.jobs));
        std::reverse(scenario.options.availability.begin(), scenario.options.availability.end());
        scenario.trace.order_jobs();
        ASSERT_EQ(before, play(scenario, seed).events) << "seed " << seed;
    }
}

TEST(SimulationUnderAnyPolicy, DoesNotDependOnNamesWhereSubmissionTimesDiffer) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        Scenario scenario = random_scenario(seed);
        for (std::size_t index = 0; index < scenario.trace.jobs.size(); ++index) {
            scenario.trace.jobs[index].submit = at(static_cast<double>(7 * index));
        }
        const SimulatedRun before = play(scenario, seed);
        const std::size_t jobs = scenario.trace.jobs.size();
        for (std::size_t index = 0; index < jobs; ++index) { scenario.trace.jobs[index].id = "renamed" + std::to_string(jobs - index); }
        scenario.trace.order_jobs();
        ASSERT_EQ(before.summary_json, play(scenario, seed).summary_json) << "seed " << seed;
    }
}

// One server, jobs one after another in order of arrival: finish(k) = max(submit(k), finish(k-1)) + duration(k) (Lindley 1952).
TEST(SimulationOfASingleServerQueue, EqualsLindleysRecursion) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        simulator::SyntheticOptions workload;
        workload.jobs = 200;
        workload.jobs_per_hour = 100;
        workload.gangs = {{1, 1}};
        workload.shortest = Seconds{1};
        workload.longest = Seconds{200};
        workload.seed = seed;
        const Trace trace = simulator::generate(workload);
        ToyFifo fifo;
        const SimulatedRun run = run_simulation(toy_cluster({1}), trace, ToySpeeds(), fifo);
        SimTime free{0};
        for (std::size_t index = 0; index < trace.jobs.size(); ++index) {
            free = std::max(free, trace.jobs[index].submit) + to_sim_time_up(trace.jobs[index].duration);
            ASSERT_EQ(run.rows[index].finish, free) << "seed " << seed << ", job " << index;
        }
    }
}

// Little's law over a run that starts and ends empty: the integral of the number present = the sum of the times in the system.
TEST(SimulationOfASingleServerQueue, ObeysLittlesLaw) {
    simulator::SyntheticOptions workload;
    workload.jobs = 500;
    workload.jobs_per_hour = 200;
    workload.gangs = {{1, 2}, {3, 1}};
    workload.shortest = Seconds{1};
    workload.longest = Seconds{400};
    const Trace trace = simulator::generate(workload);
    ToyFifo fifo;
    const SimulatedRun run = run_simulation(toy_cluster({4, 4}), trace, ToySpeeds(), fifo);
    double present = 0;
    for (const UtilizationBin& bin : run.utilization) {
        present += (bin.running_jobs + bin.waiting_jobs) * to_seconds(bin.end - bin.start).value;
    }
    double in_system = 0;
    for (const JobRow& row : run.rows) { in_system += *row.jct_s; }
    EXPECT_NEAR(present, in_system, 1e-6 * in_system);
}

// Each job of one kind on its own GPU: M/G/infinity, so nobody waits and everybody takes the declared time.
TEST(SimulationWithoutScarcity, HasNoWaiting) {
    simulator::SyntheticOptions workload;
    workload.jobs = 300;
    workload.gangs = {{1, 1}};
    workload.longest = Seconds{1000};
    const Trace trace = simulator::generate(workload);
    ToyFifo fifo;
    const SimulatedRun run = run_simulation(toy_cluster({300}), trace, ToySpeeds(), fifo);
    for (std::size_t index = 0; index < trace.jobs.size(); ++index) {
        EXPECT_EQ(run.rows[index].queueing_s, 0);
        EXPECT_EQ(*run.rows[index].finish, trace.jobs[index].submit + to_sim_time_up(trace.jobs[index].duration));
        EXPECT_NEAR(*run.rows[index].bounded_slowdown, 1, 1e-9);
    }
    EXPECT_EQ(run.summary.ledger[LedgerBin::kFragmented], 0);
}

}  // namespace
}  // namespace medley::test
