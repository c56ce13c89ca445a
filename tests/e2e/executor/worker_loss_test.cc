#include <csignal>

#include <gtest/gtest.h>

#include "tests/e2e/executor/right_end.h"
#include "tests/support/real_run.h"
#include "tests/support/temporary_folder.h"

namespace medley::test {
namespace {

TEST(RealRuns, AnUndisturbedRunHasTheForetoldResultAndLeavesNothingBehind) {
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.steps = 20, .step_ms = 10});
    run.start();
    expect_right_end(run);
    EXPECT_EQ(run.count("generation "), 1);
    EXPECT_EQ(run.count("lost "), 0);
}

// The digests of the other tests would mean nothing if they did not tell these apart.
TEST(RealRuns, TheForetoldResultDependsOnEachStepAndOnTheSamples) {
    const RealJob job{.steps = 20};
    EXPECT_NE(job.digest_after(20), job.digest_after(19));
    EXPECT_NE(job.digest(), (RealJob{.steps = 20, .seed = 2}).digest());
    EXPECT_NE(job.digest(), (RealJob{.virtual_nodes = 9, .steps = 20}).digest());
    EXPECT_EQ(job.digest(), (RealJob{.workers = 5, .steps = 20, .step_ms = 1}).digest());
}

class KillOfWorker : public testing::TestWithParam<std::uint32_t> {};

TEST_P(KillOfWorker, IsMadeGoodByTheOthers) {
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.steps = 60});
    run.start();
    ASSERT_TRUE(run.wait_for_step(5));
    run.signal_worker(GetParam(), SIGKILL);
    EXPECT_NE(run.wait_for("lost " + std::to_string(GetParam())), "");
    expect_right_end(run);
    EXPECT_GE(run.count("generation "), 2);
}

INSTANTIATE_TEST_SUITE_P(RealRuns, KillOfWorker, testing::Values(1U, 2U, 3U));

TEST(RealRuns, AKilledWorkersPlaceIsFilledAgain) {
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.steps = 400, .step_ms = 10});
    run.start();
    ASSERT_TRUE(run.wait_for_step(3));
    run.signal_worker(1, SIGKILL);
    EXPECT_NE(run.wait_for("ready 4 "), "");
    EXPECT_NE(run.wait_for("generation 3 "), "") << "with the replacement";
    expect_right_end(run);
}

TEST(RealRuns, AWorkerThatHangsIsGivenUpAndItsProcessKilled) {
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.steps = 40, .silence_ms = 2500});
    run.start();
    ASSERT_TRUE(run.wait_for_step(5));
    run.signal_worker(1, SIGSTOP);
    EXPECT_NE(run.wait_for("lost 1 "), "");
    expect_right_end(run);
}

TEST(RealRuns, AWorkerThatHungForAMomentOnlyDoesNoHarm) {
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.steps = 40});
    run.start();
    ASSERT_TRUE(run.wait_for_step(5));
    run.signal_worker(1, SIGSTOP);
    run.signal_worker(1, SIGCONT);
    expect_right_end(run);
}

TEST(RealRuns, AllWorkersKilledAtOnceAreReplacedAndTheRunGoesOnFromTheCheckpoint) {
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.steps = 30, .checkpoint_every = 5});
    run.start();
    EXPECT_NE(run.wait_for("checkpoint 5 "), "");
    run.signal_workers(SIGKILL);
    expect_right_end(run);
    EXPECT_EQ(run.count("generation 2 0 "), 0) << "it must not begin anew";
}

}  // namespace
}  // namespace medley::test
