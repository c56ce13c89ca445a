#include "cost/profile_cost_model.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/error.h"

namespace medley {
namespace {

ProfilePoint point(std::int64_t batch, double samples_per_s) {
    return {.batch = Samples{batch}, .seconds = Seconds{static_cast<double>(batch) / samples_per_s}, .memory = {}};
}

/// VirtualFlow's cluster A: 4 V100, 8 P100, 16 K80.
Cluster cluster_a() {
    Cluster cluster;
    int gpus = 4;
    for (const char* name : {"V100", "P100", "K80"}) {
        cluster.nodes.push_back({.gpu = GpuTypeId(cluster.gpu_types.size()), .gpus = gpus});
        cluster.gpu_types.push_back({.name = Name(name)});
        gpus *= 2;
    }
    return cluster;
}

const GpuTypeId kV100{std::size_t{0}};
const GpuTypeId kP100{std::size_t{1}};
const GpuTypeId kK80{std::size_t{2}};

// The largest sizes of the authors' profiles (reference, appendix and section 2.5), which are their best rates.
Profile resnet50() {
    Profile profile{.model = Name("resnet50")};
    profile.gpus[Name("V100")].points = {point(192, 1131.436), point(256, 1169.753)};
    profile.gpus[Name("P100")].points = {point(192, 278.9079), point(256, 283.2169)};
    profile.gpus[Name("K80")].points = {point(48, 65.292), point(64, 62.218)};
    return profile;
}

Profile transformer() {
    Profile profile{.model = Name("transformer")};
    profile.gpus[Name("V100")].points = {point(3072, 6144.63874), point(4096, 8212.78699)};
    profile.gpus[Name("P100")].points = {point(3072, 3412.34223), point(4096, 4533.61091)};
    profile.gpus[Name("K80")].points = {point(2048, 913.061394), point(3072, 1370.48814)};
    return profile;
}

Job pool_job(const char* model, std::int64_t batch) {
    Job job;
    job.id = "1";
    job.gpus = kWholePool;
    job.model = Name(model);
    job.batch_size = batch;
    job.steps = 100;
    return job;
}

Job gang(int gpus, double duration_s) {
    Job job;
    job.id = "1";
    job.gpus = gpus;
    job.duration = Seconds{duration_s};
    return job;
}

class ProfileCostModelTest : public ::testing::Test {
 protected:
    double samples_per_s(const Job& job, GpuTypeId type, int gpus) const {
        return model.speed(job, type, gpus).work_per_s * static_cast<double>(job.batch_size);
    }
    Cluster cluster = cluster_a();
    ProfileCostModel model{cluster, {resnet50(), transformer()}};
};

// Reference 2.5, "Homogeneous rates": count x best single-GPU rate.
TEST_F(ProfileCostModelTest, GivesVirtualFlowsPoolRates) {
    EXPECT_NEAR(samples_per_s(pool_job("resnet50", 8192), kK80, 16), 1044.676, 0.005);
    EXPECT_NEAR(samples_per_s(pool_job("resnet50", 8192), kP100, 8), 2265.736, 0.005);
    EXPECT_NEAR(samples_per_s(pool_job("resnet50", 8192), kV100, 4), 4679.012, 0.005);
    EXPECT_NEAR(samples_per_s(pool_job("transformer", 65536), kK80, 16), 21927.81, 0.005);
    EXPECT_NEAR(samples_per_s(pool_job("transformer", 65536), kP100, 8), 36268.89, 0.005);
    EXPECT_NEAR(samples_per_s(pool_job("transformer", 65536), kV100, 4), 32851.15, 0.005);
}

TEST_F(ProfileCostModelTest, AJobWithStepsCannotRunWithoutAProfile) {
    EXPECT_EQ(model.speed(pool_job("unknown", 64), kV100, 4).work_per_s, 0);
    EXPECT_EQ(model.speed(pool_job("resnet50", 64), kV100, 0).work_per_s, 0);
}

TEST_F(ProfileCostModelTest, ADurationWithoutModelRunsAlikeOnEveryTypeAndScalesLinearly) {
    const Job job = gang(4, 100);
    for (const GpuTypeId type : {kV100, kP100, kK80}) {
        EXPECT_EQ(model.speed(job, type, 4).work_per_s, 1);
        EXPECT_EQ(model.speed(job, type, 2).work_per_s, 0.5);
    }
}

TEST_F(ProfileCostModelTest, ADurationIsScaledByTheRatioOfRatesOnOtherTypes) {
    Job job = gang(2, 100);
    job.model = Name("resnet50");
    job.batch_size = 512;
    job.reference_gpu_type = Name("P100");
    EXPECT_DOUBLE_EQ(model.speed(job, kP100, 2).work_per_s, 1);
    EXPECT_DOUBLE_EQ(model.speed(job, kV100, 2).work_per_s, 1169.753 / 283.2169);
    job.reference_gpu_type = {};
    EXPECT_DOUBLE_EQ(model.speed(job, kV100, 2).work_per_s, 1);  // measured on any type
}

TEST_F(ProfileCostModelTest, ATypeThatIsNotProfiledCannotRunAJobWhoseReferenceIs) {
    Profile only_v100{.model = Name("m")};
    only_v100.gpus[Name("V100")].points = {point(8, 10)};
    const ProfileCostModel speeds(cluster, {only_v100});
    Job job = gang(1, 100);
    job.model = Name("m");
    job.reference_gpu_type = Name("V100");
    EXPECT_EQ(speeds.speed(job, kV100, 1).work_per_s, 1);
    EXPECT_EQ(speeds.speed(job, kP100, 1).work_per_s, 0);
    job.reference_gpu_type = Name("A100");  // the profile does not know it either: all types count alike
    EXPECT_EQ(speeds.speed(job, kP100, 1).work_per_s, 1);
}

// VirtualFlow's elastic simulation (reference 3.6): rate at n of d GPUs = (n/d)^exponent, whatever the batch.
TEST_F(ProfileCostModelTest, ADurationFollowsTheExponentExactlyOnOtherCounts) {
    Profile profile = resnet50();
    profile.scaling_exponent = 0.8;
    const ProfileCostModel speeds(cluster, {profile});
    Job job = gang(8, 100);
    job.model = Name("resnet50");
    job.batch_size = 2048;
    for (const int gpus : {1, 2, 4, 8}) { EXPECT_NEAR(speeds.speed(job, kP100, gpus).work_per_s, std::pow(gpus / 8.0, 0.8), 1e-12); }
}

// Two GPUs of one node: 8192 samples at 2 x 1169.753 samples/s, and a ring of 2 x (1/2) x 1e9 B / 1e9 B/s = 1 s.
TEST_F(ProfileCostModelTest, AGangPaysForTheLinksThatTheClusterStatesUnlessItsScalingWasMeasured) {
    cluster.nodes[0].intra = Link{.bandwidth = BytesPerSecond{1e9}, .latency = Seconds{0}};
    cluster.network = {{.name = "all", .nodes = {}, .link = {.bandwidth = BytesPerSecond{1e9}, .latency = Seconds{0}}}};
    Profile profile = resnet50();
    profile.gradient = Bytes{1e9};
    const Job job = pool_job("resnet50", 8192);
    const double alone = 8192 / 1169.753;
    EXPECT_NEAR(1 / ProfileCostModel(cluster, {profile}).speed(job, kV100, 1).work_per_s, alone, 1e-9);
    const JobSpeed two = ProfileCostModel(cluster, {profile}).speed(job, kV100, 2);
    EXPECT_NEAR(1 / two.work_per_s, alone / 2 + 1, 1e-9);
    EXPECT_NEAR(two.communication_fraction, 1 / (alone / 2 + 1), 1e-9);
    profile.scaling_exponent = 1;
    EXPECT_NEAR(1 / ProfileCostModel(cluster, {profile}).speed(job, kV100, 2).work_per_s, alone / 2, 1e-9);
}

TEST_F(ProfileCostModelTest, AnExponentWithoutMeasuredPointsStillHolds) {
    Profile profile{.model = Name("unmeasured")};
    profile.scaling_exponent = 0.5;
    const ProfileCostModel speeds(cluster, {profile});
    Job job = gang(4, 100);
    job.model = profile.model;
    EXPECT_DOUBLE_EQ(speeds.speed(job, kV100, 4).work_per_s, 1);
    EXPECT_DOUBLE_EQ(speeds.speed(job, kP100, 1).work_per_s, 0.5);              // (1/4)^0.5
    EXPECT_DOUBLE_EQ(speeds.speed(job, kV100, 4).communication_fraction, 0.5);  // 4^0.5 / 4 of linear
}

TEST_F(ProfileCostModelTest, APoolDurationRunsAtOneOnTheReferencesWholePool) {
    Job job = pool_job("resnet50", 8192);
    job.steps = 0;
    job.duration = Seconds{100};
    job.reference_gpu_type = Name("V100");
    EXPECT_DOUBLE_EQ(model.speed(job, kV100, 4).work_per_s, 1);
    EXPECT_NEAR(model.speed(job, kP100, 8).work_per_s, 2265.736 / 4679.012, 1e-6);
    job.model = {};
    EXPECT_EQ(model.speed(job, kK80, 16).work_per_s, 1);
}

// 8 x 192 on each V100 and 4 x 256 on each P100 (reference 2.5, H1b without communication): the slower type takes
// max(16 x 192 / 1131.436, 4 x 256 / 283.2169) s for 8192 samples.
TEST_F(ProfileCostModelTest, SpeedsOfPlansComeFromPlanCost) {
    Plan plan{.model = Name("resnet50"), .global_batch = Samples{8192}, .groups = {}};
    plan.groups.push_back({.gpu_type = Name("V100"), .replicas = 2, .virtual_nodes = std::vector<Samples>(16, Samples{192})});
    plan.groups.push_back({.gpu_type = Name("P100"), .replicas = 2, .virtual_nodes = std::vector<Samples>(4, Samples{256})});
    const double step_s = std::max(16 * 192 / 1131.436, 4 * 256 / 283.2169);
    Job job = pool_job("resnet50", 8192);
    EXPECT_NEAR(model.speed(job, plan).work_per_s, 1 / step_s, 1e-9);
    job.steps = 0;
    job.gpus = 2;
    job.duration = Seconds{1};
    job.reference_gpu_type = Name("V100");
    EXPECT_NEAR(model.speed(job, plan).work_per_s, 8192 / step_s / (2 * 1169.753), 1e-9);
}

TEST_F(ProfileCostModelTest, RefusesTwoProfilesOfOneModel) { EXPECT_THROW(ProfileCostModel(cluster, {resnet50(), resnet50()}), Error); }

TEST_F(ProfileCostModelTest, FindsProfilesByModel) {
    ASSERT_NE(model.profile(Name("resnet50")), nullptr);
    EXPECT_EQ(model.profile(Name("resnet50"))->model, Name("resnet50"));
    EXPECT_EQ(model.profile(Name("unknown")), nullptr);
}

}  // namespace
}  // namespace medley
