/// What goes wrong around a run: too few open files, an early Ctrl-C, damaged checkpoints, numbers that are none.

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/run/started_run.h"

namespace medley::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

TEST(Hardship, TooFewOpenFilesAreRefusedBeforeAnythingIsMade) {
    const TemporaryFolder folder;
    const std::string command = "ulimit -n 12; exec '" MEDLEY_PROGRAM "' run " + kRunPlan + " --job " + kRunJob + " --out '" +
                                (folder / "runs" / "r").string() + "'";
    const Outcome outcome = run_program("/bin/sh", {"-c", command});
    EXPECT_TRUE(outcome.is_one_line_refusal()) << outcome.exit_code << outcome.error;
    EXPECT_THAT(outcome.error, HasSubstr("ulimit -n: found '12', expected at least"));
    EXPECT_FALSE(fs::exists(folder / "runs")) << "also what was made above it is gone";
}

TEST(Hardship, AFolderThatCannotBeMadeIsNamed) {
    const Outcome outcome = medley({"run", kRunPlan, "--job", kRunJob, "--out", "/proc/nowhere"});
    EXPECT_TRUE(outcome.is_one_line_refusal()) << outcome.error;
    EXPECT_THAT(outcome.error, HasSubstr("/proc/nowhere: cannot be made a directory"));
}

TEST(Hardship, AnInterruptionWhileItStartsEndsInOrder) {
    const TemporaryFolder folder;
    write_file(folder, "job.yaml", "name: early\nmodel: {type: emulated, seconds_per_sample: 1e-5}\nsteps: 100000\n");
    const std::string directory = (folder / "r").string();
    StartedRun run({"run", kRunPlan, "--job", (folder / "job.yaml").string(), "--out", directory});
    while (!fs::exists(directory)) { std::this_thread::yield(); }
    ::kill(run.process(), SIGINT);
    EXPECT_EQ(run.wait(), 1);
    ASSERT_TRUE(fs::exists(folder / "r" / "summary.json")) << "a run that was begun has its report";
    EXPECT_EQ(json::parse(contents(folder / "r" / "summary.json"))["finished"], false);
}

/// A run that stopped after a few steps, with two checkpoints.
std::string stopped_run(const TemporaryFolder& folder) {
    const std::string job = write_file(folder, "job.yaml",
                                       "name: cut\nmodel: {type: emulated, seconds_per_sample: 1e-6}\nsteps: 3000\n"
                                       "checkpoint: {every_steps: 10, keep: 3}\n");
    const std::string directory = (folder / "r").string();
    StartedRun run({"run", kRunPlan, "--job", job, "--out", directory});
    wait_for_step(directory, 25);
    EXPECT_EQ(medley({"cancel", directory}).exit_code, 0);
    EXPECT_EQ(run.wait(), 1);
    return directory;
}

fs::path newest_checkpoint(const std::string& directory) {
    fs::path newest;
    std::int64_t highest = -1;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
        const std::string name = entry.path().filename();
        if (!name.starts_with("step-")) { continue; }
        const std::int64_t step = std::stoll(name.substr(5));
        if (step > highest) { newest = entry.path(); }
        highest = std::max(highest, step);
    }
    return newest;
}

TEST(Hardship, ATruncatedCheckpointIsNamedAndTheOneBeforeIsTaken) {
    const TemporaryFolder folder;
    const std::string directory = stopped_run(folder);
    const fs::path newest = newest_checkpoint(directory);
    fs::resize_file(newest, fs::file_size(newest) / 2);
    const Outcome outcome = medley({"run", "--resume", directory, "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_THAT(outcome.error, HasSubstr(newest.filename().string()));
    EXPECT_THAT(outcome.error, HasSubstr("cut short"));
    const json resumed = json_of(outcome);
    EXPECT_EQ(resumed["steps"], 3000);
    EXPECT_FALSE(resumed["redone_steps"].empty()) << "what the damaged one held is done again, and said so";
}

TEST(Hardship, TwoRunsDoNotShareAFolder) {
    const TemporaryFolder folder;
    const std::string job = write_file(folder, "job.yaml", "name: one\nmodel: {type: emulated, seconds_per_sample: 1e-5}\nsteps: 100000\n");
    const std::string directory = (folder / "r").string();
    StartedRun run({"run", kRunPlan, "--job", job, "--out", directory});
    wait_for_step(directory, 1);
    EXPECT_TRUE(medley({"run", kRunPlan, "--job", job, "--out", directory}).is_one_line_refusal());
    const Outcome resumed = medley({"run", "--resume", directory});
    EXPECT_TRUE(resumed.is_one_line_refusal()) << resumed.error;
    EXPECT_THAT(resumed.error, HasSubstr("already running"));
    EXPECT_EQ(medley({"status", directory}).exit_code, 0) << "the first one goes on";
}

TEST(Hardship, ALossThatIsNoNumberIsToldOnce) {
    if (medley({"--version"}).out.find("Torch: yes") == std::string::npos) { GTEST_SKIP() << "built without Torch"; }
    const TemporaryFolder folder;
    const std::string job = write_file(
        folder, "job.yaml", "name: wild\nmodel: {type: mlp, inputs: 8, hidden: [8]}\noptimizer: {learning_rate: 1e30}\nsteps: 12\n");
    const std::string plan =
        write_file(folder, "plan.yaml", "global_batch: 8\ngroups: [{gpu_type: cpu, replicas: 1, virtual_nodes: [4, 4]}]\n");
    const Outcome outcome =
        medley({"run", plan, "--job", job, "--device", "cpu", "--out", (folder / "r").string(), "--json", "--exact", "--workers", "2"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    const std::size_t said = outcome.error.find("warning: the loss is");
    ASSERT_NE(said, std::string::npos) << outcome.error;
    EXPECT_EQ(outcome.error.find("warning: the loss is", said + 1), std::string::npos);
    EXPECT_TRUE(json_of(outcome)["final_loss"].is_null());
}

}  // namespace
}  // namespace medley::test
