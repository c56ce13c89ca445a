/// `medley profile measure`, and what plan makes of its file.

#include <filesystem>
#include <utility>
#include <vector>

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

TEST(ProfileCalibrate, ARunsTimesTakeTheProfilesPlace) {
    const TemporaryFolder folder;
    // The emulated devices take the profile's time, thus calibration gives it back: 192 images at 1131.436 a second.
    ASSERT_EQ(medley(run_command(folder, "r", {"--steps", "12"})).exit_code, 0);
    const std::string file = (folder / "calibrated.yaml").string();
    const Outcome outcome = medley({"profile", "calibrate", (folder / "r").string(), "-o", file, "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_GE(json_of(outcome)["steps"], 12);  // rank 0 says each of them, the other as many as it sees fit
    const Profile profile = io::load_profile(file);
    EXPECT_EQ(profile.model.text(), "resnet50");
    EXPECT_THAT(profile.source, HasSubstr("Published experiment logs"));
    EXPECT_THAT(profile.source, HasSubstr("calibrated by medley"));
    const Profile before = io::load_profile(folder / "r" / "profile.yaml");
    for (const char* type : {"V100", "P100"}) {
        const double was_s = before.find(Name(type))->points.at(0).seconds.value;
        EXPECT_GE(profile.find(Name(type))->points.at(0).seconds.value, was_s * 0.9) << "a sleep never ends early";
    }
    EXPECT_EQ(profile.find(Name("K80"))->points.at(0).seconds, before.find(Name("K80"))->points.at(0).seconds);
}

TEST(ProfileCalibrate, ARunWithoutStepsIsRefused) {
    const TemporaryFolder folder;
    ASSERT_EQ(medley(run_command(folder, "r", {"--steps", "2"})).exit_code, 0);
    const std::string file = (folder / "calibrated.yaml").string();
    const Outcome outcome = medley({"profile", "calibrate", (folder / "r").string(), "-o", file});
    EXPECT_TRUE(outcome.is_one_line_refusal()) << outcome.error;
    EXPECT_THAT(outcome.error, HasSubstr("too few steps"));
    EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(ProfileImport, WritesAProfileAModelAndReportsWhatItLeftOut) {
    const TemporaryFolder folder;
    const std::string out = (folder / "profiles").string();
    const json imported = json_of(medley({"profile", "import", "tests/data/cli/throughputs-sample.csv", "--format", "throughputs",
                                          "--rename", "P100=P", "-o", out, "--json"}));
    EXPECT_EQ(imported["rows"], 6);
    EXPECT_EQ(imported["kept"], 4);
    EXPECT_EQ(imported["dropped"].size(), 2);
    ASSERT_EQ(imported["profiles"].size(), 2);
    EXPECT_DOUBLE_EQ(io::load_profile(folder / "profiles" / "small-net.yaml").find(Name("P"))->points.at(0).seconds.value, 0.1);
    const json plan =
        json_of(medley({"plan", "--model", "small-net", "--global-batch", "128", "--gpus", "V100=1,P=1", "--profiles", out, "--json"}));
    EXPECT_EQ(plan["feasible"], true);
}

TEST(ProfileImport, WrongUseLeavesNothingBehind) {
    const TemporaryFolder folder;
    const std::string sample = "tests/data/cli/throughputs-sample.csv";
    const std::string out = (folder / "out").string();
    for (const auto& [arguments, part] : std::vector<std::pair<Arguments, std::string>>{
             {{sample, "--format", "through"}, "--format: found 'through', expected one of gavel, sia"},
             {{sample, "--format", "gavel"}, "not JSON"},
             {{sample, "--format", "throughputs", "--precision", "int8"}, "no row is left"},
             {{sample, "--format", "throughputs", "--rename", "V100"}, "--rename: found 'V100'"},
             {{sample, "--format", "throughputs", "--rename", "V10=A"}, "found 'V10', expected V100"}}) {
        Arguments command{"profile", "import", "-o", out};
        command.insert(command.end(), arguments.begin(), arguments.end());
        const Outcome outcome = medley(command);
        EXPECT_TRUE(outcome.is_one_line_refusal()) << outcome.error;
        EXPECT_THAT(outcome.error, HasSubstr(part));
    }
    EXPECT_THAT(medley({"profile", "import", sample, "--format", "throughputs", "-o", out + ".yaml"}).error,
                HasSubstr("there are 2 models"));
    EXPECT_EQ(folder.entries(), 0U);
}

TEST(ProfileImport, SimulationsReadPublicFormatsDirectly) {
    const TemporaryFolder folder;
    const std::string trace = write_file(folder, "trace.csv", "job_id,submit_s,gpus,model,batch_size,steps\n1,0,1,small-net,32,200\n");
    const Outcome outcome = medley({"simulate", "--cluster", kCluster, "--trace", trace, "--policy", "fifo", "--profiles",
                                    "tests/data/cli/throughputs-sample.csv", "--profile-format", "throughputs", "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_NEAR(json_of(outcome)["avg_jct_s"].get<double>(), 200 * 32 / 640.0, 1e-6);
    EXPECT_THAT(outcome.error, HasSubstr("note: 2 of 6 rows of the profiles are left out"));
    EXPECT_TRUE(medley({"simulate", "--cluster", kCluster, "--trace", trace, "--policy", "fifo", "--profile-format", "throughputs"})
                    .is_one_line_refusal());
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
