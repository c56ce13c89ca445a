// The queue policies keep their own order from event to event; here they are compared with policies that look at everything anew each
// time and know nothing but the rule.

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "planner/policies/policy_table.h"
#include "random_scenario.h"
#include "tests/support/simulated_run.h"
#include "tests/support/toy_cluster.h"

namespace medley::test {
namespace {

/// srtf.h, word by word.
class PlainSrtf : public Policy {
 public:
    const PolicyTraits& traits() const override { return traits_; }

    Decision decide(const ClusterView& view) override {
        std::vector<Target> targets;
        std::vector<int> free;
        for (std::size_t type = 0; type < view.type_count(); ++type) { free.push_back(view.capacity(GpuTypeId(type))); }
        for (const JobId job : view.present()) {
            targets.push_back({.job = job, .remaining = remaining(view, job)});
            if (view.held(job).empty()) { continue; }
            targets.back().type = view.held(job).grants.front().type;
            free[targets.back().type.index()] -= view.held(job).gpus();
        }
        std::set<std::uint32_t> stuck;
        while (Target* next = first_waiting(view, targets, stuck)) {
            if (start_in_room(view, *next, free)) { continue; }
            if (!next->displaced && start_by_stopping(view, *next, targets, free)) {
                stuck.clear();
                continue;
            }
            stuck.insert(view.job(next->job).kind);
        }
        return changes(view, targets);
    }

 private:
    struct Target {
        JobId job;
        std::int64_t remaining = 0;
        GpuTypeId type;  ///< invalid = waits
        bool displaced = false;
    };

    static std::int64_t remaining(const ClusterView& view, JobId job) {
        const double done = view.work_done(job) / view.job(job).total_work.value();
        return to_sim_time(Seconds{view.job(job).run_time->value * (1 - done)}).value;
    }

    static Target* first_waiting(const ClusterView& view, std::vector<Target>& targets, const std::set<std::uint32_t>& stuck) {
        Target* first = nullptr;
        for (Target& each : targets) {
            if (each.type.valid() || stuck.contains(view.job(each.job).kind)) { continue; }
            if (first == nullptr || std::pair(each.remaining, each.job) < std::pair(first->remaining, first->job)) { first = &each; }
        }
        return first;
    }

    static bool start_in_room(const ClusterView& view, Target& target, std::vector<int>& free) {
        for (std::size_t type = 0; type < free.size(); ++type) {
            const int gpus = view.demand(target.job, GpuTypeId(type));
            if (!view.could_run_on(target.job, GpuTypeId(type)) || gpus > free[type]) { continue; }
            free[type] -= gpus;
            target.type = GpuTypeId(type);
            return true;
        }
        return false;
    }

    static std::int64_t remaining_on(const ClusterView& view, JobId job, GpuTypeId type) {
        const double left = view.job(job).total_work.value() - view.work_done(job);
        return to_sim_time(Seconds{left / view.speed(job, type, view.demand(job, type)).work_per_s}).value;
    }

    static bool start_by_stopping(const ClusterView& view, Target& target, std::vector<Target>& targets, std::vector<int>& free) {
        for (std::size_t index = 0; index < free.size(); ++index) {
            const GpuTypeId type(index);
            if (!view.could_run_on(target.job, type)) { continue; }
            const std::int64_t own = remaining_on(view, target.job, type);
            std::vector<std::pair<std::int64_t, Target*>> longer;
            for (Target& each : targets) {
                const std::int64_t left = each.type == type ? remaining_on(view, each.job, type) : 0;
                if (left > own + 1) { longer.emplace_back(left, &each); }  // the engine rounds at the start, this one now
            }
            std::sort(longer.begin(), longer.end(),
                      [](const auto& a, const auto& b) { return std::pair(a.first, a.second->job) > std::pair(b.first, b.second->job); });
            int missing = view.demand(target.job, type) - free[index];
            std::size_t victims = 0;
            for (; victims < longer.size() && missing > 0; ++victims) { missing -= view.demand(longer[victims].second->job, type); }
            if (missing > 0) { continue; }
            for (std::size_t victim = 0; victim < victims; ++victim) {
                longer[victim].second->type = GpuTypeId();
                longer[victim].second->displaced = true;
            }
            free[index] = -missing;
            target.type = type;
            return true;
        }
        return false;
    }

    static Decision changes(const ClusterView& view, const std::vector<Target>& targets) {
        Decision decision;
        for (const Target& each : targets) {
            Allocation target;
            if (each.type.valid()) { target = Allocation::of(each.type, view.demand(each.job, each.type)); }
            if (!target.same_gpus(view.held(each.job))) { decision.changes.push_back({.job = each.job, .target = std::move(target)}); }
        }
        return decision;
    }

    PolicyTraits traits_{.name = "plain-srtf", .information = InformationClass::kOracle};
};

void expect_same_times(const SimulatedRun& a, const SimulatedRun& b) {
    ASSERT_EQ(a.rows.size(), b.rows.size());
    for (std::size_t job = 0; job < a.rows.size(); ++job) {
        ASSERT_EQ(a.rows[job].first_start, b.rows[job].first_start) << "job " << job;
        ASSERT_EQ(a.rows[job].finish, b.rows[job].finish) << "job " << job;
    }
}

std::uint64_t queue_seeds() { return std::getenv("MEDLEY_LONG") != nullptr ? 3000 : 300; }

TEST(GangQueueProperty, SrtfDecidesAsIfItLookedAtEverythingAnew) {
    std::uint64_t preemptions = 0;
    for (std::uint64_t seed = 0; seed < queue_seeds(); ++seed) {
        SCOPED_TRACE(seed);
        const Scenario scenario(seed, {});
        PlainSrtf plain;
        const auto srtf = planner::make_policy("srtf");
        const SimulatedRun expected = run_simulation(scenario.cluster, scenario.trace, *scenario.speeds, plain);
        expect_same_times(run_simulation(scenario.cluster, scenario.trace, *scenario.speeds, *srtf), expected);
        if (HasFatalFailure()) { return; }
        preemptions += expected.summary.preemptions;
    }
    EXPECT_GT(preemptions, 1000U);
}

TEST(GangQueueProperty, FifoDecidesAsIfItLookedAtEverythingAnew) {
    for (std::uint64_t seed = 0; seed < queue_seeds(); ++seed) {
        SCOPED_TRACE(seed);
        const Scenario scenario(seed, {.capacity = true, .delays = seed % 2 == 1});
        ToyFifo plain;
        const auto fifo = planner::make_policy("fifo");
        expect_same_times(run_simulation(scenario.cluster, scenario.trace, *scenario.speeds, *fifo, scenario.options),
                          run_simulation(scenario.cluster, scenario.trace, *scenario.speeds, plain, scenario.options));
        if (HasFatalFailure()) { return; }
    }
}

}  // namespace
}  // namespace medley::test
