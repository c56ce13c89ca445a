#include <csignal>
#include <fstream>

#include <gmock/gmock.h>
#include <sys/resource.h>

#include "tests/e2e/executor/right_end.h"
#include "tests/support/real_run.h"
#include "tests/support/temporary_folder.h"

namespace medley::test {
namespace {

using testing::HasSubstr;

TEST(RealRuns, WorkersTrainOnWithoutTheirCoordinatorAndAreTakenBack) {
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.steps = 150});
    run.start();
    ASSERT_TRUE(run.wait_for_step(5));
    const auto before = run.workers();
    run.kill_coordinator();
    const std::int64_t step = run.last_step();
    EXPECT_EQ(run.workers(), before);
    run.resume();
    ASSERT_TRUE(run.wait_for_step(step + 1));
    EXPECT_EQ(run.workers(), before) << "the same processes";
    expect_right_end(run);
    EXPECT_EQ(run.count("generation "), 1) << "without an interruption";
    EXPECT_EQ(run.count("lost "), 0);
}

TEST(RealRuns, WorkersThatFinishWithoutTheirCoordinatorAreTakenBackToo) {
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.steps = 10});
    run.start();
    ASSERT_TRUE(run.wait_for_step(2));
    run.kill_coordinator();
    while (!std::filesystem::exists(folder / "run/step-10.ckpt")) { ASSERT_FALSE(run.workers().empty()); }
    run.resume();
    expect_right_end(run);
}

TEST(RealRuns, AWorkerLostWhileTheCoordinatorIsAwayIsReplaced) {
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.steps = 60});
    run.start();
    ASSERT_TRUE(run.wait_for_step(5));
    run.kill_coordinator();
    run.signal_worker(1, SIGKILL);
    run.resume();
    EXPECT_NE(run.wait_for("lost 1 "), "");
    expect_right_end(run);
}

TEST(RealRuns, CoordinatorAndWorkersKilledTheRunGoesOnFromItsCheckpoint) {
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.steps = 30, .checkpoint_every = 5});
    run.start();
    EXPECT_NE(run.wait_for("checkpoint 5 "), "");
    run.kill_coordinator();
    run.signal_workers(SIGKILL);
    run.resume();
    const std::string formed = run.wait_for("generation ");
    EXPECT_THAT(formed, HasSubstr("generation 2 "));
    EXPECT_THAT(formed, testing::Not(HasSubstr("generation 2 0 "))) << "it must not begin anew";
    expect_right_end(run);
}

TEST(RealRuns, CoordinatorAndWorkersKilledBeforeAnyCheckpointTheRunBeginsAnew) {
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.steps = 20});
    run.start();
    ASSERT_TRUE(run.wait_for_step(3));
    run.kill_coordinator();
    run.signal_workers(SIGKILL);
    run.resume();
    EXPECT_THAT(run.wait_for("generation "), HasSubstr("generation 2 0 "));
    expect_right_end(run);
}

TEST(RealRuns, ADamagedCheckpointIsPassedOverForTheOneBefore) {
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.steps = 30, .checkpoint_every = 5});
    run.start();
    EXPECT_NE(run.wait_for("checkpoint 10 "), "");
    run.kill_coordinator();
    run.signal_workers(SIGKILL);
    std::filesystem::path newest;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "run")) {
        if (entry.path().extension() == ".ckpt" && (newest.empty() || entry.last_write_time() > last_write_time(newest))) {
            newest = entry.path();
        }
    }
    std::filesystem::resize_file(newest, std::filesystem::file_size(newest) - 1);
    run.resume();
    EXPECT_THAT(run.wait_for("warning "), HasSubstr(newest.filename().string()));
    EXPECT_THAT(run.wait_for("generation "), testing::Not(HasSubstr("generation 2 0 ")));
    expect_right_end(run);
}

TEST(RealRuns, ATornEndOfTheLogDoesNotHinderAResume) {
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.steps = 60});
    run.start();
    ASSERT_TRUE(run.wait_for_step(5));
    run.kill_coordinator();
    std::filesystem::resize_file(folder / "run/wal", std::filesystem::file_size(folder / "run/wal") - 3);
    run.resume();
    expect_right_end(run);
}

TEST(RealRuns, WorkersWhoseCoordinatorNeverComesBackEndByThemselves) {
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.steps = 100000, .lease_s = 1});
    run.start();
    ASSERT_TRUE(run.wait_for_step(5));
    run.kill_coordinator();
    EXPECT_EQ(run.left_behind(), "");
    run.resume();
    EXPECT_THAT(run.wait_for("generation "), testing::Not(HasSubstr("generation 2 0 "))) << "they saved before they ended";
    run.signal_coordinator(SIGINT);
    run.wait();
    EXPECT_EQ(run.left_behind(), "");
}

TEST(RealRuns, ASecondCoordinatorInTheSameFolderIsRefused) {
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.steps = 100});
    run.start();
    ASSERT_TRUE(run.wait_for_step(1));
    RealRun second(folder / "run", run.job());
    second.resume();
    EXPECT_EQ(second.wait(), 2);
    EXPECT_EQ(second.count("error "), 1);
    RealRun third(folder / "run", run.job());
    third.start();
    EXPECT_EQ(third.wait(), 2);
    expect_right_end(run);
}

// A limit on the size of files stands for a full disk.
TEST(RealRuns, ACoordinatorThatCannotWriteItsLogEndsWithAMessageAndTheWorkersTrainOn) {
    const TemporaryFolder folder;
    RealRun run(folder / "run", {.steps = 200});
    run.start();
    ASSERT_TRUE(run.wait_for_step(3));
    const rlimit full{.rlim_cur = 1, .rlim_max = RLIM_INFINITY};
    ASSERT_EQ(::prlimit(run.coordinator(), RLIMIT_FSIZE, &full, nullptr), 0);
    EXPECT_NE(run.wait_for("warning the run's log has a gap"), "");
    ASSERT_TRUE(run.wait_for_step(run.last_step() + 3)) << "steps need no log";
    EXPECT_EQ(run.count("warning the run's log has a gap"), 1);
    run.signal_worker(1, SIGKILL);
    EXPECT_EQ(run.wait(), 2);
    EXPECT_NE(run.wait_for("error the run's log can no longer be written"), "");
    EXPECT_EQ(run.workers().size(), 2U);
    run.resume();
    expect_right_end(run);
}

}  // namespace
}  // namespace medley::test
