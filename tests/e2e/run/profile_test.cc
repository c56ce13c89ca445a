/// `medley profile measure`, and what plan makes of its file.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/profile_file.h"
#include "tests/e2e/run/started_run.h"

namespace medley::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(ProfileMeasure, WritesAProfileThatPlanReads) {
    const TemporaryFolder folder;
    write_file(folder, "job.yaml", "name: asleep\nmodel: {type: emulated, seconds_per_sample: 1e-3}\n");
    const std::string file = (folder / "asleep.yaml").string();
    const Outcome outcome = medley({"profile", "measure", "--job", (folder / "job.yaml").string(), "--max-size", "16", "--steps", "5",
                                    "--gpu-type", "slow", "-o", file, "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    const json measured = json_of(outcome);
    const json& sizes = measured["devices"][0]["sizes"];
    ASSERT_EQ(sizes.size(), 6);
    EXPECT_EQ(sizes[4]["batch"], 12) << "1, 2, 4, 8, 12, 16";
    EXPECT_GT(sizes[5]["wall_seconds"], sizes[2]["wall_seconds"]);
    EXPECT_GT(measured["link"]["wall_bytes_per_s"], 0);

    const Profile profile = io::load_profile(file);
    EXPECT_EQ(profile.model.text(), "asleep");
    EXPECT_EQ(profile.find(Name("slow"))->points.size(), 6);
    EXPECT_TRUE(profile.link.has_value());
    EXPECT_THAT(profile.source, HasSubstr("medley profile measure"));
    const json plan =
        json_of(medley({"plan", "--model", "asleep", "--global-batch", "64", "--gpus", "slow=2", "--profiles", file, "--json"}));
    EXPECT_EQ(plan["feasible"], true);
}

TEST(ProfileMeasure, SizesMayBeNamedAndAreRefusedOutOfOrder) {
    const TemporaryFolder folder;
    const std::string job = write_file(folder, "job.yaml", "model: {type: emulated}\n");
    const json measured = json_of(medley({"profile", "measure", "--job", job, "--sizes", "3,5", "--steps", "2", "--no-link", "--json"}));
    EXPECT_EQ(measured["devices"][0]["sizes"].size(), 2);
    EXPECT_TRUE(measured["link"].is_null());
    EXPECT_TRUE(medley({"profile", "measure", "--job", job, "--sizes", "5,3"}).is_one_line_refusal());
}

TEST(ProfileMeasure, LimitsOfNothingAreRefused) {
    const TemporaryFolder folder;
    const std::string job = write_file(folder, "job.yaml", "model: {type: emulated}\n");
    for (const std::string option : {"--memory-limit", "--step-limit"}) {
        const Outcome outcome = medley({"profile", "measure", "--job", job, "--no-link", option, "0"});
        EXPECT_TRUE(outcome.is_one_line_refusal()) << outcome.error;
        EXPECT_THAT(outcome.error, HasSubstr(option + ": found '0"));
    }
}

}  // namespace
}  // namespace medley::test
