/// The profiles and clusters that this repository ships, against the figures of VirtualFlow's publications.

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "io/cluster_file.h"
#include "io/profile_file.h"
#include "io/trace_check.h"
#include "io/trace_file.h"
#include "tests/support/source_folder.h"

namespace medley::io {
namespace {

const std::filesystem::path kProfiles = test::source_folder() / "profiles";
const std::filesystem::path kTraces = test::source_folder() / "traces";

double rate(const ProfilePoint& point) { return static_cast<double>(point.batch.value) / point.seconds.value; }

double best_rate(const Profile& profile, const char* gpu_type) {
    double best = 0;
    for (const ProfilePoint& point : profile.find(Name(gpu_type))->points) { best = std::max(best, rate(point)); }
    return best;
}

Profile shipped_profile(const char* model) { return load_profile(kProfiles / (std::string(model) + ".yaml")); }

struct PoolRates {
    const char* model;
    double k80_16;
    double p100_8;
    double v100_4;
};

// The rates of whole pools in the authors' simulator logs: GPUs times the best rate of one. Their printed digits are met to 5e-6.
TEST(ShippedProfiles, GiveThePublishedPoolRates) {
    constexpr PoolRates kPublished[] = {{"bert-base-sst2", 373.813, 589.324, 515.290},
                                        {"bert-base-cola", 374.189, 587.859, 514.327},
                                        {"transformer", 21927.81, 36268.89, 32851.15},
                                        {"resnet50", 1044.676, 2265.736, 4679.012}};
    constexpr double kPrinted = 5e-6;
    for (const PoolRates& pool : kPublished) {
        const Profile profile = shipped_profile(pool.model);
        EXPECT_NEAR(16 * best_rate(profile, "K80") / pool.k80_16, 1, kPrinted) << pool.model;
        EXPECT_NEAR(8 * best_rate(profile, "P100") / pool.p100_8, 1, kPrinted) << pool.model;
        EXPECT_NEAR(4 * best_rate(profile, "V100") / pool.v100_4, 1, kPrinted) << pool.model;
    }
}

TEST(ShippedProfiles, HoldEverySizeOfTheStoredProfiles) {
    const auto sizes = [](const char* model, const char* gpu_type) { return shipped_profile(model).find(Name(gpu_type))->points.size(); };
    EXPECT_EQ(sizes("bert-base-sst2", "V100"), 9);
    EXPECT_EQ(sizes("bert-base-sst2", "K80"), 8);
    EXPECT_EQ(sizes("bert-base-cola", "RTX2080Ti"), 8);
    EXPECT_EQ(sizes("transformer", "P100"), 22);
    EXPECT_EQ(sizes("transformer", "RTX2080Ti"), 21);
    EXPECT_EQ(sizes("resnet-cifar10", "K80"), 12);
    EXPECT_EQ(sizes("resnet50", "RTX2080Ti"), 13);
    EXPECT_EQ(sizes("resnet50", "K80"), 2);
}

// Above 128 tokens the profiled size had no effect: about 0.499 s a step on V100, 0.904 s on P100, 2.24 s on K80.
TEST(ShippedProfiles, TheTransformersStepTimeIsConstantForLargeSizes) {
    const Profile transformer = shipped_profile("transformer");
    const auto expect_constant = [&](const char* gpu_type, double seconds) {
        for (const ProfilePoint& point : transformer.find(Name(gpu_type))->points) {
            if (point.batch.value >= 128) { EXPECT_NEAR(point.seconds.value / seconds, 1, 0.02) << gpu_type << ' ' << point.batch.value; }
        }
    };
    expect_constant("V100", 0.499);
    expect_constant("P100", 0.904);
    expect_constant("K80", 2.24);
}

TEST(ShippedProfiles, EveryOneNamesItsSource) {
    for (const char* folder : {"", "virtualflow-elastic"}) {
        for (const Profile& profile : load_profiles(kProfiles / folder)) { EXPECT_NE(profile.source, "") << profile.model.text(); }
    }
    EXPECT_EQ(load_profiles(kProfiles).size(), 5);
}

TEST(ShippedProfiles, ElasticOnesAddAnExponentToTheSameRates) {
    for (const Profile& elastic : load_profiles(kProfiles / "virtualflow-elastic")) {
        const std::string& model = elastic.model.text();
        const double expected = model.starts_with("resnet") ? 0.8 : model.starts_with("bert") ? 0.3 : 0.5;
        EXPECT_EQ(elastic.scaling_exponent, expected) << model;
        const GpuProfile* v100 = elastic.find(Name("V100"));
        if (v100 == nullptr) { continue; }  // QNLI was never profiled
        const Profile linear = shipped_profile(model.c_str());
        const auto& points = linear.find(Name("V100"))->points;
        EXPECT_TRUE(std::equal(points.begin(), points.end(), v100->points.begin(), v100->points.end(), [](const auto& a, const auto& b) {
            return a.batch == b.batch && a.seconds == b.seconds;
        })) << model;
    }
}

// Sizes were run on these GPUs, so weights, optimizer and gradient must leave room on them.
TEST(ShippedProfiles, StateFitsEveryGpuOfTheShippedClusters) {
    for (const auto& entry : std::filesystem::directory_iterator(kProfiles / "clusters")) {
        for (const GpuType& type : load_cluster(entry.path()).gpu_types) {
            for (const Profile& profile : load_profiles(kProfiles)) {
                EXPECT_LT(profile.state + profile.gradient, *type.memory) << entry.path() << ' ' << profile.model.text();
            }
        }
    }
}

TEST(ShippedClusters, HaveTheSizesOfTheExperiments) {
    const auto capacity = [](const char* file) { return load_cluster(kProfiles / "clusters" / file).capacity(); };
    EXPECT_EQ(capacity("virtualflow-a.yaml"), (std::vector<int>{4, 8, 16}));
    EXPECT_EQ(load_cluster(kProfiles / "clusters" / "virtualflow-a.yaml").gpu_types[0].name, Name("V100"));
    EXPECT_EQ(capacity("8xV100.yaml"), (std::vector<int>{8}));
    EXPECT_EQ(capacity("4xV100.yaml"), (std::vector<int>{4}));
    EXPECT_EQ(capacity("mixed-lab.yaml"), (std::vector<int>{32, 32, 64}));
}

TEST(ShippedTraces, FitTheClustersAndProfilesTheyAreMeantFor) {
    const auto check = [](const std::string& trace_file, const char* cluster_file, const char* profiles) {
        Trace trace = load_trace(kTraces / trace_file);
        const Cluster cluster = load_cluster(kProfiles / "clusters" / cluster_file);
        EXPECT_NO_THROW(check_trace(trace, cluster, load_profiles(kProfiles / profiles), OverWide::kRefuse)) << trace_file;
    };
    check("virtualflow-elastic-20.csv", "8xV100.yaml", "virtualflow-elastic");
    check("virtualflow-elastic-3.csv", "4xV100.yaml", "virtualflow-elastic");
    for (const char* rate : {"1", "2", "3", "4", "5"}) { check(std::string("virtualflow-het-") + rate + ".csv", "virtualflow-a.yaml", ""); }
}

}  // namespace
}  // namespace medley::io
