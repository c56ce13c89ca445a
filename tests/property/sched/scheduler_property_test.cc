// The scheduler against a policy that wants random things and a driver that takes random times: whatever is decided, GPUs are never
// held twice, and every transition ends.

#include <algorithm>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "core/rng.h"
#include "sched/scheduler.h"

namespace medley {
namespace {

class EqualSpeed : public CostModel {
 public:
    JobSpeed speed(const Job&, GpuTypeId, int gpus) const override { return {.work_per_s = static_cast<double>(gpus)}; }
    JobSpeed speed(const Job&, const Plan&) const override { return {}; }
    const Profile* profile(Name) const override { return nullptr; }
};

class Discard : public EventSink {
 public:
    void record(const LogRecord&) override {}
};

/// Gives most of the jobs a random target each time, mixed types included, never beyond what is free.
class Whims : public Policy {
 public:
    Whims(Rng rng, InformationClass information) : rng_(rng) { traits_.information = information; }
    const PolicyTraits& traits() const override { return traits_; }
    Decision decide(const ClusterView& view) override {
        Decision decision;
        if (calm) { return decision; }
        std::vector<int> free;
        for (std::size_t type = 0; type < view.type_count(); ++type) { free.push_back(view.free(GpuTypeId(type))); }
        std::vector<JobId> movers = view.present();
        std::erase_if(movers, [this](JobId) { return rng_.chance(0.4); });
        for (const JobId job : movers) {
            for (const Grant& grant : view.held(job).grants) { free[grant.type.index()] += grant.gpus; }
        }
        for (const JobId job : movers) { decision.changes.push_back({.job = job, .target = pick_from(free)}); }
        return decision;
    }
    bool calm = false;

 private:
    Allocation pick_from(std::vector<int>& free) {
        Allocation target;
        for (std::size_t type = 0; type < free.size(); ++type) {
            const int gpus = static_cast<int>(rng_.between(-1, 5));
            if (gpus < 1 || gpus > free[type]) { continue; }
            target.grants.push_back({.type = GpuTypeId(type), .gpus = gpus});
            free[type] -= gpus;
        }
        return target;
    }

    Rng rng_;
    PolicyTraits traits_{.name = "whims", .information = InformationClass::kOracle};
};

class RandomDriver {
 public:
    RandomDriver(Rng rng, Scheduler& scheduler) : rng_(rng), scheduler_(scheduler) {}

    void send(const Event& event) {
        const auto actions = scheduler_.handle(event, now_);
        const std::vector<Action> copy(actions.begin(), actions.end());
        for (const Action& action : copy) {
            std::visit([this](const auto& known) { carry_out(known); }, action);
        }
        while (!at_once_.empty()) {
            const Event next = at_once_.back();
            at_once_.pop_back();
            send(next);
        }
    }
    bool step() {
        if (due_.empty()) { return false; }
        const auto first = due_.begin();
        now_ = first->first;
        const Event event = first->second;
        due_.erase(first);
        send(event);
        return true;
    }
    void pass_time() { now_ += SimTime{1}; }

 private:
    SimTime later() { return now_ + SimTime{rng_.between(0, 3)}; }
    void forget(JobId job) {
        std::erase_if(due_, [&](const auto& entry) {
            const auto* running = std::get_if<JobRunning>(&entry.second);
            const auto* stopped = std::get_if<JobStopped>(&entry.second);
            return (running && running->job == job) || (stopped && stopped->job == job);
        });
    }
    void carry_out(const Launch& action) { due_.emplace(later(), JobRunning{.job = action.job, .work_per_s = 1}); }
    void carry_out(const Resize& action) { due_.emplace(later(), JobRunning{.job = action.job, .work_per_s = 1}); }
    void carry_out(const Stop& action) {
        forget(action.job);
        if (action.reason == StopReason::kCapacityLost) {
            at_once_.push_back(JobStopped{.job = action.job});
        } else {
            due_.emplace(later(), JobStopped{.job = action.job});
        }
    }
    void carry_out(const WakeAt&) {}

    Rng rng_;
    Scheduler& scheduler_;
    SimTime now_{0};
    std::multimap<SimTime, Event> due_;
    std::vector<Event> at_once_;
};

std::vector<Job> plain_jobs(std::size_t count) {
    std::vector<Job> jobs(count);
    for (std::size_t index = 0; index < count; ++index) {
        jobs[index].id = std::to_string(index);
        jobs[index].duration = Seconds{1e6};
    }
    return jobs;
}

Cluster three_types() {
    Cluster cluster;
    for (const char* name : {"a", "b", "c"}) {
        cluster.nodes.push_back(NodeGroup{.count = 1, .gpu = GpuTypeId(cluster.gpu_types.size()), .gpus = 6});
        cluster.gpu_types.push_back(GpuType{.name = Name(name)});
    }
    return cluster;
}

void expect_held_within_capacity(const Scheduler& scheduler, const ClusterView& view, std::size_t jobs) {
    for (std::size_t type = 0; type < view.type_count(); ++type) {
        int held = 0;
        for (std::size_t job = 0; job < jobs; ++job) { held += scheduler.held(JobId(job)).gpus_of(GpuTypeId(type)); }
        ASSERT_LE(held, view.capacity(GpuTypeId(type)));
    }
}

TEST(SchedulerProperty, GpusAreNeverHeldTwiceAndEveryTransitionEnds) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        Rng rng(seed);
        const Cluster cluster = three_types();
        const std::vector<Job> jobs = plain_jobs(8);
        const EqualSpeed speeds;
        Discard log;
        Whims policy(rng.fork("policy"), InformationClass::kOracle);
        Scheduler scheduler(cluster, jobs, speeds, policy, log, {});
        RandomDriver driver(rng.fork("driver"), scheduler);
        for (std::size_t job = 0; job < jobs.size(); ++job) { driver.send(JobSubmitted{JobId(job)}); }
        for (int step = 0; step < 60; ++step) {
            const int delta = static_cast<int>(rng.between(-2, 2));
            if (rng.chance(0.3)) { driver.send(CapacityChanged{.type = GpuTypeId(rng.below(3)), .delta = delta}); }
            if (rng.chance(0.3)) { driver.send(JobCancelled{.job = JobId(rng.below(400))}); }
            if (!driver.step()) { driver.pass_time(); }
            expect_held_within_capacity(scheduler, scheduler.view(SimTime{0}), jobs.size());
        }
        policy.calm = true;
        while (driver.step()) {}
        const ClusterView view = scheduler.view(SimTime{0});
        EXPECT_FALSE(view.transition_pending());
        for (const JobId job : view.present()) { EXPECT_TRUE(scheduler.held(job).same_gpus(view.held(job))) << job.value; }
    }
}

}  // namespace
}  // namespace medley
