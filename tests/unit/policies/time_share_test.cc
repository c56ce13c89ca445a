#include <gtest/gtest.h>

#include "toy_run.h"

namespace medley::test {
namespace {

constexpr double kRound = 360;

/// t0 is twice as fast as t1 for model "fast", no faster for any other.
class TwoSpeeds : public CostModel {
 public:
    JobSpeed speed(const Job& job, GpuTypeId type, int gpus) const override {
        const double factor = job.model == Name("fast") && type.index() == 0 ? 2 : 1;
        return {.work_per_s = factor * gpus / job.gpus};
    }
    JobSpeed speed(const Job&, const Plan&) const override { return {}; }
    const Profile* profile(Name) const override { return nullptr; }
};

Job of_model(Job job, const std::string& model) {
    job.model = Name(model);
    return job;
}

Job with_weight(Job job, double weight) {
    job.weight = weight;
    return job;
}

TEST(TimeShare, TwoJobsOnOneGpuTakeTurns) {
    for (const char* policy : {"isolated", "max-min", "max-min-het"}) {
        SCOPED_TRACE(policy);
        const ToyRun toy = run_toy(policy, {1}, {toy_job("a", 0, 1, 10 * kRound), toy_job("b", 0, 1, 10 * kRound)});
        EXPECT_EQ(toy.starts, (Times{0, kRound}));
        // a bb aa bb aa bb aa bb aa bb a: of two that are owed the same, the one that is there stays. b ends by itself.
        EXPECT_EQ(toy.finishes, (Times{20 * kRound, 19 * kRound}));
        EXPECT_EQ(toy.run.summary.preemptions, 9U);
    }
}

TEST(TimeShare, TimeGoesByWeight) {
    const ToyRun toy = run_toy("max-min", {1}, {with_weight(toy_job("a", 0, 1, 30 * kRound), 3), toy_job("b", 0, 1, 10 * kRound)});
    EXPECT_NEAR(toy.finishes[0], 40 * kRound, 3 * kRound);
    EXPECT_NEAR(toy.finishes[1], 40 * kRound, 3 * kRound);
}

TEST(TimeShare, JobsThatCanAllRunStayWhereTheyAre) {
    const ToyRun toy = run_toy(
        "max-min", {2, 2}, {toy_job("a", 0, 1, 7200), toy_job("b", 0, 1, 3600), toy_job("c", 500, 1, 3600), toy_job("d", 1000, 1, 7200)});
    EXPECT_EQ(toy.run.summary.preemptions, 0U);
}

TEST(TimeShare, AwareFairnessGivesTheFastTypeToWhomItHelps) {
    const std::vector<Job> jobs{of_model(toy_job("plain", 0, 1, 7200), "plain"), of_model(toy_job("fast", 0, 1, 14400), "fast")};
    const ToyRun toy = run_toy("max-min-het", {1, 1}, jobs, {}, TwoSpeeds());
    EXPECT_EQ(toy.run.rows[1].gpu_seconds, 7200);  // at speed 2 throughout
    EXPECT_EQ(toy.run.summary.preemptions, 0U);
}

TEST(TimeShare, LeftOverGpusGoToJobsWithoutAClaimToThem) {
    // One gang of 2 and one of 4 on 4 GPUs: shares are fractions, but in every round in which the 4 waits, the 2 runs.
    const ToyRun toy = run_toy("max-min", {4}, {toy_job("a", 0, 4, 10 * kRound), toy_job("b", 0, 2, 10 * kRound)});
    EXPECT_EQ(std::max(toy.finishes[0], toy.finishes[1]), 20 * kRound);
}

TEST(TimeShare, SmallSharesDoNotStarveWhileJobsComeAndGo) {
    // A job with a tenth of the others' weight, among one-round jobs that change the set every round.
    std::vector<Job> jobs{with_weight(toy_job("small", 0, 1, 5 * kRound), 0.1)};
    for (int index = 0; index < 200; ++index) { jobs.push_back(toy_job("j" + std::to_string(index), index * kRound, 1, 0.95 * kRound)); }
    const ToyRun toy = run_toy("max-min", {1}, jobs);
    EXPECT_LT(toy.starts[0], 60 * kRound);
}

TEST(TimeShare, APoolJobSharesPoolsWithRigidGangs) {
    Job pool = toy_job("pool", 0, 1, 4 * kRound);
    pool.gpus = kWholePool;
    for (const char* policy : {"isolated", "max-min", "max-min-het"}) {
        const ToyRun toy = run_toy(policy, {2, 2}, {pool, toy_job("a", 0, 1, 4 * kRound), toy_job("b", 0, 2, 4 * kRound)});
        EXPECT_EQ(toy.run.summary.jobs_completed, 3U) << policy;
    }
}

}  // namespace
}  // namespace medley::test
