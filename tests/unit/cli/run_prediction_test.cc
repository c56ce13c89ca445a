#include "cli/run_prediction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace medley::cli {
namespace {

using testing::HasSubstr;
using testing::Optional;

/// 4 samples take 0.1 s on A, 0.4 s on B; a gradient of 1 GB, a link of 2 GB/s.
Profile two_types() {
    Profile profile;
    profile.model = Name("m");
    profile.gradient = Bytes{1e9};
    profile.gpus[Name("A")] = {
        .points = {{.batch = Samples{4}, .seconds = Seconds{0.1}, .memory = {}}}, .scaling = {}, .update = Seconds{0.01}};
    profile.gpus[Name("B")] = {
        .points = {{.batch = Samples{4}, .seconds = Seconds{0.4}, .memory = {}}}, .scaling = {}, .update = Seconds{0.02}};
    return profile;
}

executor::RunSetup setup_of(std::size_t nodes) {
    executor::RunSetup setup;
    setup.virtual_nodes.assign(nodes, 4);
    return setup;
}

executor::Placement uneven() {
    return {.places = {{.device = "cpu", .gpu_type = "A", .virtual_nodes = {0, 1, 2}},
                       {.device = "cpu", .gpu_type = "B", .virtual_nodes = {3}}}};
}

TEST(RunPrediction, IsTheSlowestPlacesComputeTheRingAndTheSlowestUpdate) {
    Profile profile = two_types();
    profile.link = Link{.bandwidth = BytesPerSecond{2e9}, .latency = Seconds{0.001}};
    std::string why_not;
    const auto prediction = predict(setup_of(4), uneven(), &profile, why_not);
    ASSERT_TRUE(prediction) << why_not;
    EXPECT_DOUBLE_EQ(prediction->compute_s, 0.4);
    // 2 (n - 1) / n x bytes / bandwidth + 2 (n - 1) x latency, n = 2
    EXPECT_NEAR(prediction->communication_s, 0.5 + 0.002, 1e-12);
    EXPECT_THAT(prediction->update_s, Optional(0.02));
    EXPECT_NEAR(prediction->samples_per_s, 16 / (0.4 + 0.502 + 0.02), 1e-9);
}

TEST(RunPrediction, WithoutALinkCommunicationCostsNothing) {
    const Profile profile = two_types();
    std::string why_not;
    EXPECT_EQ(predict(setup_of(4), uneven(), &profile, why_not)->communication_s, 0);
}

TEST(RunPrediction, SaysWhyThereIsNone) {
    const Profile profile = two_types();
    std::string why_not;
    EXPECT_FALSE(predict(setup_of(4), uneven(), nullptr, why_not));
    EXPECT_EQ(why_not, "the job names no profile");
    executor::RunSetup forward = setup_of(4);
    forward.mode = executor::Mode::kInference;
    EXPECT_FALSE(predict(forward, uneven(), &profile, why_not));
    EXPECT_EQ(why_not, "profiles hold times of training steps");
    executor::Placement elsewhere = uneven();
    elsewhere.places[1].gpu_type = "C";
    EXPECT_FALSE(predict(setup_of(4), elsewhere, &profile, why_not));
    EXPECT_THAT(why_not, HasSubstr("C"));
}

TEST(RunPrediction, EmulatedModelsKnowTheirOwnTimes) {
    executor::RunSetup setup = setup_of(4);
    setup.job.model = EmulatedModel{.seconds_per_sample = 0.01, .time_scale = 0.5};
    std::string why_not;
    EXPECT_DOUBLE_EQ(predict(setup, uneven(), nullptr, why_not)->compute_s, 12 * 0.01 * 0.5);
    const Profile profile = two_types();
    setup.job.model = EmulatedModel{.profile = "m", .time_scale = 0.5};
    EXPECT_DOUBLE_EQ(predict(setup, uneven(), &profile, why_not)->compute_s, 0.2);
}

}  // namespace
}  // namespace medley::cli
