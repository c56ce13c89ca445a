#include "cli/profile_calibration.h"

#include <gmock/gmock.h>

#include "tests/unit/core/refusal.h"

namespace medley::cli {
namespace {

using executor::GenerationRecord;
using executor::JoinedRecord;
using executor::Record;
using executor::SteppedRecord;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr executor::WorkerNumber kFirst = 7;
constexpr executor::WorkerNumber kSecond = 8;

/// A V100 with two virtual nodes of 8 and a P100 with one of 8 and one of 4.
const std::vector<std::int64_t> kNodes = {8, 8, 8, 4};

Profile profile() {
    Profile profile{.model = Name("net"), .source = "a bench"};
    profile.gpus[Name("V100")].points = {{.batch = Samples{4}, .seconds = Seconds{0.1}, .memory = {}},
                                         {.batch = Samples{8}, .seconds = Seconds{0.2}, .memory = Bytes{5}}};
    profile.gpus[Name("P100")].points = {{.batch = Samples{4}, .seconds = Seconds{0.3}, .memory = {}},
                                         {.batch = Samples{8}, .seconds = Seconds{0.5}, .memory = {}}};
    profile.gpus[Name("K80")].points = {{.batch = Samples{4}, .seconds = Seconds{1}, .memory = {}}};
    return profile;
}

SteppedRecord stepped(executor::WorkerNumber worker, executor::Step step, double compute_s, double update_s = 0.01) {
    return {.worker = worker, .stepped = {.generation = 1, .step = step, .times = {.compute_s = compute_s, .update_s = update_s}}};
}

/// Seven steps: the first ones are slow, the third is an outlier.
std::vector<Record> records(executor::Step steps = 7) {
    std::vector<Record> records;
    executor::Placement placement;
    placement.places = {{.device = "cuda:0", .gpu_type = "V100", .virtual_nodes = {0, 1}},
                        {.device = "cuda:1", .gpu_type = "P100", .virtual_nodes = {2, 3}}};
    records.emplace_back(GenerationRecord{.generation = 1, .members = {kFirst, kSecond}, .placement = placement, .checkpoint = {}});
    records.emplace_back(JoinedRecord{.generation = 1, .step = 0});
    for (executor::Step step = 1; step <= steps; ++step) {
        const double factor = step == 1 ? 50 : step == 3 ? 9 : 1;
        records.emplace_back(stepped(kFirst, step, 0.6 * factor));
        records.emplace_back(stepped(kSecond, step, 1.6 * factor));
    }
    return records;
}

TEST(ProfileCalibration, SizesHeldAloneAreReplacedAndOthersScaled) {
    const Calibration calibrated = calibrate(profile(), records(), kNodes, 1);
    const GpuProfile& v100 = *calibrated.profile.find(Name("V100"));
    EXPECT_DOUBLE_EQ(v100.points[1].seconds.value, 0.3) << "0.6 s for two of 8";
    EXPECT_DOUBLE_EQ(v100.points[0].seconds.value, 0.1 * (0.6 / 0.4)) << "1.5 times what the profile said";
    EXPECT_EQ(v100.points[1].memory->value, 5) << "memory stays";
    const GpuProfile& p100 = *calibrated.profile.find(Name("P100"));
    EXPECT_DOUBLE_EQ(p100.points[0].seconds.value, 0.3 * (1.6 / 0.8)) << "mixed sizes: only the sum is known";
    EXPECT_DOUBLE_EQ(p100.points[1].seconds.value, 0.5 * (1.6 / 0.8));
    EXPECT_DOUBLE_EQ(v100.update->value, 0.01);
    EXPECT_THAT(calibrated.left_as_is, ElementsAre("K80"));
    EXPECT_DOUBLE_EQ(calibrated.profile.find(Name("K80"))->points[0].seconds.value, 1);
    EXPECT_EQ(calibrated.steps, 12) << "two workers, six steps behind the first";
}

TEST(ProfileCalibration, WithoutAProfileTheRunsOwnSizesMakeOne) {
    const Calibration calibrated = calibrate(Profile{.model = Name("new")}, records(), kNodes, 2);
    ASSERT_EQ(calibrated.sizes.size(), 1U) << "of mixed sizes nothing is known";
    EXPECT_FALSE(calibrated.sizes[0].before_s.has_value());
    EXPECT_DOUBLE_EQ(calibrated.profile.find(Name("V100"))->points.at(0).seconds.value, 0.15) << "a run in twice the time";
}

TEST(ProfileCalibration, TooFewStepsAreRefused) {
    EXPECT_THAT(refusal([] { calibrate(profile(), records(5), kNodes, 1); }), HasSubstr("too few steps"));
    EXPECT_EQ(refusal([] { calibrate(profile(), records(6), kNodes, 1); }), "");
    EXPECT_THAT(refusal([] { calibrate(profile(), {}, kNodes, 1); }), HasSubstr("too few steps"));
}

TEST(ProfileCalibration, StepsOfOtherMembershipsDoNotCount) {
    std::vector<Record> all = records();
    for (executor::Step step = 8; step < 40; ++step) {
        SteppedRecord stale = stepped(kFirst, step, 100);
        stale.stepped.generation = 2;
        all.emplace_back(stale);
    }
    EXPECT_DOUBLE_EQ(calibrate(profile(), all, kNodes, 1).profile.find(Name("V100"))->points[1].seconds.value, 0.3);
}

}  // namespace
}  // namespace medley::cli
