#include <gtest/gtest.h>

#include "cost/profile_cost_model.h"
#include "toy_run.h"

namespace medley::test {
namespace {

constexpr double kVirtualFlowRound = 360;

// One sample takes 1 s on t0 and 2 s on t1, whatever the size of the virtual node.
Profile even_profile() {
    Profile profile{.model = Name("m")};
    for (std::int64_t size = 1; size <= 16; size *= 2) {
        const auto seconds = static_cast<double>(size);
        profile.gpus[Name("t0")].points.push_back({Samples{size}, Seconds{seconds}, {}});
        profile.gpus[Name("t1")].points.push_back({Samples{size}, Seconds{2 * seconds}, {}});
    }
    return profile;
}

Job pool_job(std::string id, double submit_s, std::int64_t steps) {
    Job job;
    job.id = std::move(id);
    job.submit = at(submit_s);
    job.model = Name("m");
    job.gpus = kWholePool;
    job.batch_size = 12;
    job.steps = steps;
    return job;
}

ToyRun run(const std::string& policy, std::vector<Job> jobs) {
    const Cluster cluster = toy_cluster({4, 4});
    return run_toy(policy, {4, 4}, std::move(jobs), {}, ProfileCostModel(cluster, {even_profile()}));
}

TEST(Virtualflow, ALoneJobMixesInTheIdlePool) {
    // Alone on 4 t0: 12 samples in 3 s. With 4 t1: 2 each on t0 and 1 each on t1, both in 2 s.
    EXPECT_EQ(run("virtualflow:mixed=false", {pool_job("a", 0, 100)}).finishes, (Times{300}));
    EXPECT_EQ(run("virtualflow", {pool_job("a", 0, 100)}).finishes, (Times{200}));
}

TEST(Virtualflow, AMixEndsAtTheRoundInWhichThePoolIsNeeded) {
    const ToyRun toy = run("virtualflow", {pool_job("a", 0, 300), pool_job("b", 100, 300)});
    // a: 180 steps in the first round with both pools. Then each has one pool. b starts at 360.
    EXPECT_EQ(toy.starts, (Times{0, kVirtualFlowRound}));
    EXPECT_GE(toy.run.summary.resizes, 1U);
}

TEST(Virtualflow, AJobOfAnUnknownModelRunsUnmixed) {
    Job job = toy_job("a", 0, 2, 100);
    EXPECT_EQ(run_toy("virtualflow", {4, 4}, {job}).finishes, (Times{100}));
}

TEST(Virtualflow, ARigidGangMixesOnlyUpToItsMaximum) {
    Job gang = pool_job("a", 0, 100);
    gang.gpus = 4;
    EXPECT_EQ(run("virtualflow", {gang}).finishes, (Times{300}));
    gang.max_gpus = 8;
    EXPECT_EQ(run("virtualflow", {gang}).finishes, (Times{200}));
}

TEST(Virtualflow, WhatAMixLeavesOfItsOwnTypeGoesToASmallerGang) {
    // t0 takes virtual nodes of 2 only, t1 of 4 only, so a batch of 6 is one of each: 6 / 2.1 samples/s on one GPU of each type, against
    // 2 x 4^0.1 on all of t0 (a little less on t1). The gang of 3 that may be on t0 alone starts beside it.
    Profile profile{.model = Name("m"), .scaling_exponent = 0.1};
    profile.gpus[Name("t0")].points = {{Samples{2}, Seconds{1}, {}}};
    profile.gpus[Name("t1")].points = {{Samples{4}, Seconds{2.1}, {}}};
    Job mixing = pool_job("a", 0, 1000);
    mixing.gpus = 4;
    mixing.max_gpus = 8;
    mixing.batch_size = 6;
    Job beside = toy_job("b", 0, 3, 100);
    auto extras = std::make_shared<JobExtras>();
    extras->gpu_types = {Name("t0")};
    beside.extras = extras;
    const Cluster cluster = toy_cluster({4, 4});
    const ToyRun toy = run_toy("virtualflow", {4, 4}, {mixing, beside}, {}, ProfileCostModel(cluster, {profile}));
    EXPECT_EQ(toy.starts, (Times{0, 0}));
}

}  // namespace
}  // namespace medley::test
