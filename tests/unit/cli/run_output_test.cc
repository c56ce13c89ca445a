#include "cli/run_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/profile_measurement.h"
#include "cli/run_progress.h"
#include "core/error.h"

namespace medley::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

RunResult small_result() {
    RunResult result;
    result.setup.job.name = "tiny";
    result.setup.job.steps = 4;
    result.setup.virtual_nodes = {6, 2};
    result.report.steps = 2;
    result.report.losses = {2.5, std::nullopt};
    result.report.step_s = {.median = 0.1, .low = 0.09, .high = 0.2, .count = 1};
    result.report.components = {.compute_s = 0.08, .collective_s = 0.01, .update_s = 0.005, .other_s = 0.005};
    result.report.samples_per_s = 80;
    result.report.failures = {{.step = 1, .rank = {}, .worker = 7, .reason = "signal 9", .recovered_s = {}}};
    result.report.resizes = {{.step = 1, .from = "V100=1", .to = "V100=2", .asked = true, .pause_s = 0.5}};
    result.prediction = Prediction{.step_s = 0.05, .compute_s = 0.04, .samples_per_s = 160};
    result.reason = "stopped";
    return result;
}

TEST(RunOutput, JsonHoldsWhatIsKnownAndNullForWhatIsNot) {
    const std::string json = run_json(small_result());
    for (const char* part : {"\"throughput_samples_per_s\": 80", "\"predicted_throughput_samples_per_s\": 160", "\"rank\": null",
                             "\"state_digest\": null", "\"wall_pause_s\": 0.5", "\"reason\": \"stopped\"", "\"finished\": false"}) {
        EXPECT_THAT(json, HasSubstr(part));
    }
}

TEST(RunOutput, PeopleReadMeasuredBesidePredicted) {
    const std::string text = run_text(small_result());
    EXPECT_THAT(text, HasSubstr("tiny: 2 steps of 4"));
    EXPECT_THAT(text, testing::ContainsRegex("compute +80 +40 +2"));
    EXPECT_THAT(text, testing::ContainsRegex("update +5 +- +-"));
    EXPECT_THAT(text, HasSubstr("V100=1 -> V100=2, training paused 0.5 s"));
    EXPECT_THAT(text, HasSubstr("worker 7: signal 9"));
}

TEST(RunOutput, WithoutAPredictionTheReasonIsGiven) {
    RunResult result = small_result();
    result.prediction.reset();
    result.no_prediction = "the job names no profile";
    EXPECT_THAT(run_text(result), HasSubstr("- (the job names no profile)"));
    EXPECT_THAT(run_json(result), HasSubstr("\"predicted\": null"));
}

TEST(RunOutput, EqualVirtualNodesAreCounted) { EXPECT_EQ(describe_batches({1, 8, 8, 4, 8}), "3 x 8 + 1 x 4 + 1 x 1"); }

TEST(RunOutput, TheProgressLineSaysStepLossAndRates) {
    const RunProgressOptions options{.steps = 500, .global_batch = 64, .predicted_samples_per_s = 5300};
    EXPECT_EQ(run_progress_line(options, {.step = 120, .loss = 1.234}, 5120),
              "step 120 of 500, loss 1.234, 5120 samples/s (predicted 5300)");
    EXPECT_EQ(run_progress_line({.steps = 5}, {.step = 1, .loss = 2}, 0), "step 1 of 5, loss 2, - samples/s");
}

TEST(ProfileSizes, ArePowersOfTwoAndMidpoints) {
    EXPECT_THAT(profiled_sizes(64), ElementsAre(1, 2, 4, 8, 12, 16, 24, 32, 48, 64));
    EXPECT_THAT(profiled_sizes(13), ElementsAre(1, 2, 4, 8, 12));
    EXPECT_THAT(profiled_sizes(1), ElementsAre(1));
}

TEST(ProfileSizes, AMeasurementBecomesPointsOfItsType) {
    Profile profile;
    profile.model = Name("m");
    DeviceMeasurement device;
    device.parameters = 10;
    device.gradient_bytes = 40;
    device.sizes = {{.size = 1, .node_s = {.median = 0.1}, .update_s = {.median = 0.25}, .memory_bytes = 5},
                    {.size = 2, .node_s = {.median = 0.2}, .update_s = {.median = 0.75}, .memory_bytes = {}}};
    add_to_profile(profile, "cpu", device);
    profile.validate();
    const GpuProfile* cpu = profile.find(Name("cpu"));
    ASSERT_EQ(cpu->points.size(), 2);
    EXPECT_EQ(cpu->points[1].seconds, Seconds{0.2});
    EXPECT_EQ(cpu->points[0].memory, Bytes{5});
    EXPECT_EQ(cpu->points[1].memory, std::nullopt);
    EXPECT_EQ(cpu->update, Seconds{0.5});
    EXPECT_EQ(profile.parameters, 10);
}

}  // namespace
}  // namespace medley::cli
