/// Speaking to a run while it lasts: status, resize, cancel, resume.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/run/started_run.h"

namespace medley::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(Operate, ARunIsResizedAndCancelledWhileItLasts) {
    const TemporaryFolder folder;
    const std::string directory = (folder / "asked").string();
    write_file(folder, "job.yaml", "name: asked\nmodel: {type: emulated, profile: resnet50, time_scale: 0.01}\nsteps: 4000\n");
    const std::string job = (folder / "job.yaml").string();
    {
        StartedRun run({"run", kRunPlan, "--job", job, "--out", directory, "--json"});
        const json status = wait_for_step(directory, 3);
        EXPECT_EQ(status["job"], "asked");
        EXPECT_EQ(status["steps"], 4000);
        EXPECT_EQ(status["workers"].size(), 3);

        const json list = json_of(medley({"list", "--runs", folder.path().string(), "--json"}));
        ASSERT_EQ(list["runs"].size(), 1);
        EXPECT_EQ(list["runs"][0]["running"], true);

        const json resize = json_of(medley({"resize", directory, "--to", "V100=1,P100=1", "--json"}));
        EXPECT_EQ(resize["accepted"], true);
        EXPECT_EQ(resize["to"], "V100=1,P100=1");
        const std::int64_t asked_at = wait_for_step(directory, 4)["step"];
        wait_for_step(directory, asked_at + 5);
        EXPECT_TRUE(medley({"resize", directory, "--to", "H100=1"}).exit_code == 2) << "a type that the profile has no times of";

        EXPECT_EQ(medley({"cancel", directory}).exit_code, 0);
        EXPECT_EQ(run.wait(), 1) << "not all steps are done";
    }
    const json cut = json::parse(contents(folder / "asked" / "summary.json"));
    EXPECT_EQ(cut["finished"], false);
    ASSERT_FALSE(cut["resizes"].empty());
    EXPECT_EQ(cut["resizes"].front()["asked"], true);
    EXPECT_EQ(cut["resizes"].back()["to"], "V100=1,P100=1");
}

TEST(Operate, ACancelledRunGoesOnWithResume) {
    const TemporaryFolder folder;
    const std::string directory = (folder / "cut").string();
    write_file(folder, "job.yaml", "name: cut\nmodel: {type: emulated, seconds_per_sample: 1e-5}\nsteps: 400\n");
    const std::string job = (folder / "job.yaml").string();
    {
        StartedRun run({"run", kRunPlan, "--job", job, "--out", directory});
        wait_for_step(directory, 3);
        ASSERT_EQ(medley({"cancel", directory}).exit_code, 0);
        EXPECT_EQ(run.wait(), 1);
    }
    const Outcome outcome = medley({"run", "--resume", directory, "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    const json resumed = json_of(outcome);
    EXPECT_EQ(resumed["steps"], 400);
    EXPECT_EQ(resumed["redone_steps"], json::array());
    EXPECT_EQ(resumed["losses"].size(), 400);
    const json plain = json_of(medley({"run", kRunPlan, "--job", job, "--out", (folder / "plain").string(), "--json", "--workers", "1"}));
    EXPECT_EQ(resumed["state_digest"], plain["state_digest"]);
    EXPECT_EQ(resumed["losses"], plain["losses"]);
}

}  // namespace
}  // namespace medley::test
