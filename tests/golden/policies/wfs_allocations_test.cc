// Allocations of elastic weighted fair sharing that VirtualFlow's code and its real log agree on (8 GPUs), and others worked out by
// hand from the rules in fair_shares.h.

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "planner/policies/policy_table.h"
#include "sched/scheduler.h"
#include "tests/support/no_log.h"
#include "tests/support/toy_cluster.h"

namespace medley::test {
namespace {

struct Claim {
    int demand;
    double priority;
};

/// Submits jobs one by one, letting every transition complete in between, and reads off what each holds.
class LiveCluster {
 public:
    LiveCluster(const std::vector<int>& gpus, const std::vector<Claim>& claims)
        : cluster_(toy_cluster(gpus)), policy_(planner::make_policy("wfs")) {
        for (const Claim& claim : claims) {
            jobs_.push_back(toy_job(std::to_string(jobs_.size()), static_cast<double>(jobs_.size()), claim.demand, 1e6));
            jobs_.back().priority = jobs_.back().weight = claim.priority;
        }
        scheduler_ = std::make_unique<Scheduler>(cluster_, jobs_, speeds_, *policy_, log_, SchedulerOptions{});
    }

    void submit(std::size_t job) { settle(JobSubmitted{JobId(job)}); }
    void finish(std::size_t job) { settle(JobFinished{.job = JobId(job), .work_done = 1e6}); }
    int gpus(std::size_t job) const { return scheduler_->held(JobId(job)).gpus(); }
    GpuTypeId type(std::size_t job) const { return scheduler_->held(JobId(job)).grants.front().type; }
    std::vector<int> all() const {
        std::vector<int> held;
        for (std::size_t job = 0; job < submitted_; ++job) { held.push_back(gpus(job)); }
        return held;
    }

 private:
    void settle(const Event& event) {
        if (std::holds_alternative<JobSubmitted>(event)) { ++submitted_; }
        now_ += to_sim_time(Seconds{1});
        std::vector<Event> events{event};
        while (!events.empty()) {
            const auto actions = scheduler_->handle(events, now_);
            events.clear();
            for (const Action& action : actions) {
                if (const auto* launch = std::get_if<Launch>(&action)) {
                    events.push_back(JobRunning{.job = launch->job, .work_per_s = 1e-6});
                }
                if (const auto* resize = std::get_if<Resize>(&action)) {
                    events.push_back(JobRunning{.job = resize->job, .work_per_s = 1e-6});
                }
                if (const auto* stop = std::get_if<Stop>(&action)) { events.push_back(JobStopped{.job = stop->job}); }
            }
        }
    }

    Cluster cluster_;
    std::vector<Job> jobs_;
    ToySpeeds speeds_;
    std::unique_ptr<Policy> policy_;
    NoLog log_;
    std::unique_ptr<Scheduler> scheduler_;
    SimTime now_{0};
    std::size_t submitted_ = 0;
};

using Gpus = std::vector<int>;

TEST(WfsAllocations, EightGpusAreSharedAsInTheRealLog) {
    LiveCluster live({8}, {{8, 5}, {4, 5}, {4, 5}, {2, 10}, {1, 5}, {2, 1}});
    const std::vector<Gpus> expected{{8}, {4, 4}, {4, 2, 2}, {2, 2, 2, 2}, {2, 2, 1, 2, 1}, {2, 2, 1, 2, 1, 0}};
    for (std::size_t job = 0; job < expected.size(); ++job) {
        live.submit(job);
        EXPECT_EQ(live.all(), expected[job]);
    }
}

TEST(WfsAllocations, FourGpusAreSharedAsInTheThreeJobRun) {
    LiveCluster live({4}, {{4, 1}, {2, 5}, {4, 10}});
    live.submit(0);
    EXPECT_EQ(live.all(), (Gpus{4}));
    live.submit(1);
    EXPECT_EQ(live.all(), (Gpus{2, 2}));
    live.submit(2);
    EXPECT_EQ(live.all(), (Gpus{1, 1, 2}));
    live.finish(0);
    EXPECT_EQ(live.all(), (Gpus{0, 2, 2}));
    live.finish(1);
    EXPECT_EQ(live.all(), (Gpus{0, 0, 4}));
}

TEST(WfsAllocations, ARefusedJobStartsAsSoonAsItHarmsNobodyOfHigherPriority) {
    // J5 was refused beside J0..J4. Without J0: J3 2 of 8x10/26, J4 1; 5 left for weights 5, 5, 1: 2, 2, 1. Nobody has less than before.
    LiveCluster live({8}, {{8, 5}, {4, 5}, {4, 5}, {2, 10}, {1, 5}, {2, 1}});
    for (std::size_t job = 0; job < 6; ++job) { live.submit(job); }
    live.finish(0);
    EXPECT_EQ(live.all(), (Gpus{0, 2, 2, 2, 1, 1}));
}

TEST(WfsAllocations, EachPoolIsSharedByItselfAndJobsStayOnTheirType) {
    LiveCluster live({4, 4}, {{4, 1}, {4, 1}, {4, 1}});
    for (std::size_t job = 0; job < 3; ++job) { live.submit(job); }
    EXPECT_EQ(live.all(), (Gpus{2, 4, 2}));
    EXPECT_EQ(live.type(0), GpuTypeId(std::size_t{0}));
    EXPECT_EQ(live.type(1), GpuTypeId(std::size_t{1}));
    EXPECT_EQ(live.type(2), GpuTypeId(std::size_t{0}));
    live.finish(1);
    EXPECT_EQ(live.all(), (Gpus{2, 0, 2}));
}

}  // namespace
}  // namespace medley::test
