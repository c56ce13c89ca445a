/// Runs with the emulated engine, whose state depends on every step and sample: equal digests mean that nothing was lost or done twice.

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/run/started_run.h"
#include "tests/support/log_checker.h"

namespace medley::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

json run_to_its_end(const TemporaryFolder& folder, const std::string& name, const Arguments& more = {}) {
    const Outcome outcome = medley(run_command(folder, name, more));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    return json_of(outcome);
}

TEST(Run, SaysEverythingThatIsPromised) {
    const TemporaryFolder folder;
    const json result = run_to_its_end(folder, "r", {"--steps", "12"});
    for (const char* field : {"steps", "final_loss", "losses", "throughput_samples_per_s", "predicted_throughput_samples_per_s",
                              "state_digest", "workers", "resizes", "failures"}) {
        EXPECT_TRUE(result.contains(field)) << field;
    }
    EXPECT_EQ(result["steps"], 12);
    EXPECT_EQ(result["losses"].size(), 12);
    EXPECT_EQ(result["final_loss"], result["losses"].back());
    EXPECT_LT(result["losses"].back(), result["losses"].front());
    EXPECT_GT(result["throughput_samples_per_s"], 0);
    EXPECT_EQ(result["state_digest"].get<std::string>().size(), 64);
    ASSERT_EQ(result["workers"].size(), 3);
    EXPECT_EQ(result["workers"][0]["gpu_type"], "V100");
    EXPECT_EQ(result["workers"][0]["device"], "emulated");
    EXPECT_EQ(result["workers"][0]["virtual_node_batches"], (json{192, 192, 192, 192}));
    EXPECT_EQ(result["workers"][2]["virtual_node_batches"], (json{192}));
    EXPECT_EQ(result["failures"], json::array());
    EXPECT_EQ(result["global_batch"], 1152);
}

TEST(Run, ItsPredictionIsTheProfilesInEmulatedTime) {
    const TemporaryFolder folder;
    const json result = json_of(medley(run_command(folder, "r", {"--dry-run"})));
    // 192 images at 278.9079 a second on a P100 take a little longer than 4 x 192 at 1131.436 on the V100; a hundredth of that emulated.
    EXPECT_NEAR(result["predicted"]["compute_time_s"].get<double>(), 0.01 * 192 / 278.9079, 1e-5);
    EXPECT_FALSE(std::filesystem::exists(folder / "r")) << "a dry run writes nothing";
}

TEST(Run, TheSameVirtualNodesGiveTheSameStateForEveryMapping) {
    const TemporaryFolder folder;
    const Arguments quick{"--steps", "15", "--job", (folder / "quick.yaml").string()};
    write_file(folder, "quick.yaml", "name: quick\nmodel: {type: emulated, seconds_per_sample: 1e-7}\n");
    const auto digest = [&](const std::string& name, const Arguments& more) {
        Arguments arguments{"run",    kRunPlan,  "--job", (folder / "quick.yaml").string(), "--out", (folder / name).string(),
                            "--json", "--steps", "15"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = medley(arguments);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
        return json_of(outcome).value("state_digest", "");
    };
    const std::string planned = digest("planned", {});
    EXPECT_EQ(planned.size(), 64);
    EXPECT_EQ(digest("one", {"--workers", "1"}), planned);
    EXPECT_EQ(digest("three", {"--workers", "3"}), planned);
    EXPECT_EQ(digest("uneven", {"--workers", "3,1,2"}), planned);
    EXPECT_NE(digest("other-seed", {"--seed", "1"}), planned) << "a digest that could not differ would say nothing";
}

TEST(Run, APlannedResizeChangesTheDevicesAndNothingElse) {
    const TemporaryFolder folder;
    const std::string resizes = write_file(folder, "resizes.yaml", "resizes: [{at_step: 20, to: \"V100=1\"}]\n");
    const json plain = run_to_its_end(folder, "plain", {"--steps", "60"});
    const json resized = run_to_its_end(folder, "resized", {"--steps", "60", "--resize-plan", resizes});
    EXPECT_EQ(resized["state_digest"], plain["state_digest"]);
    EXPECT_EQ(resized["losses"], plain["losses"]);
    ASSERT_EQ(resized["resizes"].size(), 1);
    EXPECT_EQ(resized["resizes"][0]["from"], "V100=1,P100=2");
    EXPECT_EQ(resized["resizes"][0]["to"], "V100=1");
    EXPECT_EQ(resized["resizes"][0]["asked"], true);
    EXPECT_GE(resized["resizes"][0]["step"], 20);
    EXPECT_GE(resized["resizes"][0]["wall_pause_s"], 0);
    EXPECT_EQ(resized["failures"], json::array());
    EXPECT_EQ(resized["workers"].size(), 1);
}

TEST(Run, ItsFolderHoldsResultsAsASimulationsDoes) {
    const TemporaryFolder folder;
    const json result = run_to_its_end(folder, "r", {"--steps", "25"});
    for (const char* file : {"summary.json", "events.jsonl", "jobs.csv", "utilization.csv", "job.yaml", "profile.yaml", "run.bin", "wal"}) {
        EXPECT_TRUE(std::filesystem::exists(folder / "r" / file)) << file;
    }
    EXPECT_EQ(json::parse(contents(folder / "r" / "summary.json")), result);
    const LogReport report = check_log_text(contents(folder / "r" / "events.jsonl"));
    EXPECT_THAT(report.violations, IsEmpty());
    EXPECT_EQ(report.jobs_completed, 1);
    EXPECT_THAT(contents(folder / "r" / "jobs.csv"), HasSubstr("completed"));
    ASSERT_FALSE(result["checkpoints"].empty());
    EXPECT_TRUE(std::filesystem::exists(result["checkpoints"].back()["file"].get<std::string>()));
}

TEST(Run, PeopleGetATableWithThePredictionBeside) {
    const TemporaryFolder folder;
    const Outcome outcome = medley({"run", kRunPlan, "--job", kRunJob, "--out", (folder / "r").string(), "--steps", "12"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    for (const char* part :
         {"emulated: 12 steps done", "measured (ms)", "predicted (ms)", "compute", "4 x 192", "final loss", "state digest"}) {
        EXPECT_THAT(outcome.out, HasSubstr(part));
    }
}

TEST(Run, ForwardOnlyItPassesOverTheDataOnce) {
    const TemporaryFolder folder;
    write_file(folder, "job.yaml", "name: forward\nmodel: {type: emulated}\ndata: {type: synthetic, samples: 2500}\n");
    const json result = json_of(medley(
        {"run", kRunPlan, "--job", (folder / "job.yaml").string(), "--out", (folder / "r").string(), "--json", "--mode", "inference"}));
    EXPECT_EQ(result["mode"], "inference");
    EXPECT_EQ(result["steps"], 3) << "two batches of 1152 and a rest";
    EXPECT_TRUE(std::filesystem::exists(folder / "r" / "outputs.npy"));
}

}  // namespace
}  // namespace medley::test
