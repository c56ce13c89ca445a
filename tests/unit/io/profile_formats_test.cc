/// What each public format's figures mean, by numbers that can be checked by hand.

#include <filesystem>

#include <gmock/gmock.h>

#include "io/profile_formats/gavel.h"
#include "io/profile_formats/jabas.h"
#include "io/profile_formats/sailor.h"
#include "io/profile_formats/sia.h"
#include "io/profile_formats/throughputs.h"
#include "tests/support/source_folder.h"
#include "tests/unit/core/refusal.h"

namespace medley::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

const GpuProfile& gpu_of(const ProfileImport& imported, std::size_t profile, const char* type) {
    return *imported.profiles.at(profile).find(Name(type));
}

const std::string kTwoScales = R"json({
  "k80": {"('LM (batch size 5)', 1)": {"null": 4}, "('LM (batch size 5)', 2)": {"null": 6}},
  "k80_unconsolidated": {"('LM (batch size 5)', 2)": {"null": 3}}})json";

TEST(GavelProfiles, OneGpuGivesSecondsAndSeveralGiveRatesOfTheWhole) {
    const ProfileImport imported = import_gavel_profiles(kTwoScales, "t.json");
    const GpuProfile& gpu = gpu_of(imported, 0, "k80");
    ASSERT_EQ(gpu.points.size(), 1);
    EXPECT_EQ(gpu.points[0].batch.value, 5);
    EXPECT_DOUBLE_EQ(gpu.points[0].seconds.value, 0.25) << "four steps a second";
    ASSERT_EQ(gpu.scaling.size(), 2);
    EXPECT_DOUBLE_EQ(gpu.scaling[0].samples_per_s, 20) << "one GPU, as a job runs";
    EXPECT_EQ(gpu.scaling[1].gpus, 2);
    EXPECT_EQ(gpu.scaling[1].batch->value, 10);
    EXPECT_DOUBLE_EQ(gpu.scaling[1].samples_per_s, 30) << "six steps of five samples, summed over both";
    EXPECT_EQ(imported.profiles[0].find(Name("k80_unconsolidated")), nullptr);
    EXPECT_THAT(imported.report.dropped, ElementsAre(Pair("GPUs on different servers (_unconsolidated)", 1)));
}

/// One job with its rate by itself.
std::string one_job(const std::string& job, const std::string& rate) { return "{\"k80\": {\"" + job + "\": {\"null\": " + rate + "}}}"; }

TEST(GavelProfiles, RatesOfZeroArePlacesWhereTheJobDoesNotRun) {
    const ProfileImport idle = import_gavel_profiles(one_job("('B', 1)", "0"), "t.json");
    EXPECT_TRUE(idle.profiles.empty());
    EXPECT_THAT(idle.report.dropped, ElementsAre(Pair("a rate of 0: the job does not run on this type", 1)));
}

TEST(GavelProfiles, AJobWithoutABatchTakesOneSampleAStep) {
    const ProfileImport imported = import_gavel_profiles(one_job("('A3C', 1)", "2"), "t.json");
    EXPECT_EQ(imported.profiles.at(0).model.text(), "A3C");
    EXPECT_EQ(gpu_of(imported, 0, "k80").points.at(0).batch.value, 1);
    EXPECT_THAT(imported.report.changed, ElementsAre(Pair("no batch size stated: one sample a step", 1)));
}

TEST(GavelProfiles, OtherKeysAreNamed) {
    for (const char* job : {"LM", "('LM', 0)", "('LM', x)", "('', 1)", "', 1)", "(', 1)", "('LM', 1", "(' (batch size 5)', 1)"}) {
        EXPECT_THAT(refusal([&] { import_gavel_profiles(one_job(job, "1"), "t.json"); }), HasSubstr("t.json: ")) << job;
    }
    EXPECT_THAT(refusal([] { import_gavel_profiles(one_job("('A', 1)", "-1"), "t.json"); }), HasSubstr("at least 0"));
}

ProfileImport sia_rows(const std::string& text) {
    ProfileCollection collection;
    add_sia_rows(text, "t.csv", {.model = "bert", .gpu_type = "aws"}, collection);
    return collection.finish("");
}

TEST(SiaProfiles, AVirtualNodeIsAStepWithoutItsSynchronisation) {
    const ProfileImport imported =
        sia_rows("placement,local_bsz,step_time,sync_time\n1,8,0.5,0.1\n22,8,0.8,0.3\n4,8,0.64,0.2\n13,8,1,0.2\n");
    const GpuProfile& gpu = gpu_of(imported, 0, "aws");
    ASSERT_EQ(gpu.points.size(), 1);
    EXPECT_DOUBLE_EQ(gpu.points[0].seconds.value, 0.4);
    ASSERT_EQ(gpu.scaling.size(), 2);
    EXPECT_DOUBLE_EQ(gpu.scaling[0].samples_per_s, 16) << "the whole step of one replica";
    EXPECT_EQ(gpu.scaling[1].batch->value, 32);
    EXPECT_DOUBLE_EQ(gpu.scaling[1].samples_per_s, 50) << "four replicas on one node come before four on two";
    EXPECT_EQ(imported.report.kept, 2U);
    EXPECT_EQ(imported.report.rows, 4U);
}

TEST(SiaProfiles, ScalabilityFilesStateNodesAndReplicas) {
    const ProfileImport imported = sia_rows("num_nodes,num_replicas,local_bsz,step_time,sync_time\n6,12,10,0.5,0.1\n6,6,10,0.4,0.5\n");
    EXPECT_DOUBLE_EQ(gpu_of(imported, 0, "aws").scaling.at(0).samples_per_s, 240);
    EXPECT_THAT(imported.report.dropped, ElementsAre(Pair("sync_time is not below step_time", 1)));
}

TEST(SiaProfiles, WrongCellsAreNamedByLineAndColumn) {
    const std::string header = "placement,local_bsz,step_time,sync_time\n";
    EXPECT_THAT(refusal([&] { sia_rows(header + "1,8,0.5,0.1\n1x,8,0.5,0.1\n"); }), HasSubstr("t.csv: line 3, column placement"));
    EXPECT_THAT(refusal([&] { sia_rows(header + "1,0,0.5,0.1\n"); }), HasSubstr("line 2, column local_bsz"));
    EXPECT_THAT(refusal([&] { sia_rows(header + "1,1,-1,0.1\n"); }), HasSubstr("line 2, column step_time"));
    EXPECT_THAT(refusal([&] { sia_rows("placement,local_bsz,step_time\n"); }), HasSubstr("a column sync_time"));
}

TEST(JabasProfiles, OneWorkerIsAVirtualNodeAndBucketsAreTheGradient) {
    ProfileCollection collection;
    const std::string step = R"({"model": "net", "gpu_type": "P100", "lbs": 32, "fwd_time": 50, "bwd_time": 106, "update_time": 4, )";
    add_jabas_step(step + R"("num_models": 1})", "a.json", collection);
    add_jabas_step(step + R"("num_models": 2})", "b.json", collection);
    add_jabas_buckets(R"({"model": "net", "bucket_size_distribution": [1, 0.5]})", "c.json", collection);
    const ProfileImport imported = collection.finish("");
    const GpuProfile& gpu = gpu_of(imported, 0, "P100");
    EXPECT_DOUBLE_EQ(gpu.points.at(0).seconds.value, 0.156);
    EXPECT_DOUBLE_EQ(gpu.update->value, 0.004);
    EXPECT_DOUBLE_EQ(imported.profiles[0].gradient.value, 1.5 * 1024 * 1024);
    EXPECT_THAT(imported.report.dropped, ElementsAre(Pair("several concurrent workers: virtual nodes run one after another", 1)));
}

TEST(SailorProfiles, LayersAddUpAtTensorDegreeOne) {
    ProfileCollection collection;
    add_sailor_profile(R"({"2": {"1": {"0": [0.1, 0.2, 0.01], "1": [0.3, 0.4, 0.02]}, "2": {"0": [0.1, 0.1, 0]}}})", "p.json",
                       {.model = "OPT", .gpu_type = "A100"}, collection);
    add_sailor_models(R"({"OPT": {"1": {"0": {"params_floats": 5, "params_bytes": 20}, "1": {"params_floats": 2, "params_bytes": 8}}},
                          "unmeasured": {"1": {"0": {"params_floats": 5, "params_bytes": 20}}}})",
                      "m.json", collection);
    const ProfileImport imported = collection.finish("");
    ASSERT_EQ(imported.profiles.size(), 1);
    EXPECT_EQ(imported.profiles[0].parameters, 7);
    EXPECT_EQ(imported.profiles[0].gradient.value, 28);
    EXPECT_DOUBLE_EQ(gpu_of(imported, 0, "A100").points.at(0).seconds.value, 1.0);
    EXPECT_DOUBLE_EQ(gpu_of(imported, 0, "A100").update->value, 0.03);
    EXPECT_EQ(imported.report.dropped.size(), 1U);
}

const std::string kRates =
    "gpu,model,local_batch_size,precision,samples_per_sec,source\n"
    "V100,net,8,amp,16,a/b@1:x row\n"
    "V100,net,8,amp,17,a/b@1:y\nV100,net,8,fp32,10,a/b@1:x\nP100,net,8,fp32,4,c/d@2:z\nV100,other,4,fp32,8,c/d@2:z\n";

TEST(ThroughputProfiles, PublishersAndPrecisionsAreKeptApart) {
    const ProfileImport imported = import_throughputs(kRates, "t.csv", {});
    std::vector<std::string> models;
    for (const Profile& profile : imported.profiles) { models.push_back(profile.model.text()); }
    EXPECT_THAT(models, ElementsAre("net (amp, a/b)", "net (fp32, a/b)", "net (fp32, c/d)", "other"));
    EXPECT_DOUBLE_EQ(gpu_of(imported, 0, "V100").points.at(0).seconds.value, 0.5) << "of two rates the first";
    EXPECT_EQ(imported.report.kept, 4U);
}

TEST(ThroughputProfiles, AChosenPrecisionAndPublisherGiveThePlainName) {
    const ProfileImport imported = import_throughputs(kRates, "t.csv", {.precision = "fp32", .publisher = "c/d"});
    ASSERT_EQ(imported.profiles.size(), 2);
    EXPECT_EQ(imported.profiles[0].model.text(), "net");
    EXPECT_THAT(imported.report.dropped, ElementsAre(Pair("of another precision", 2), Pair("of another publisher", 1)));
}

/// The files that were published, where they are at hand.
const std::filesystem::path kShared = test::source_folder() / ".." / "shared" / "data";

ProfileImport import_shared(const char* format, const char* source) {
    return import_profiles(find_profile_format(format), kShared / source, {});
}

std::size_t dropped(const ProfileImport& imported) {
    std::size_t rows = 0;
    for (const auto& [reason, count] : imported.report.dropped) { rows += count; }
    return rows;
}

// Counts and figures were taken from the files by hand (Python's csv and json), not by this program.
TEST(PublishedProfiles, HoldTheCountsOfTheirDescriptions) {
    if (!std::filesystem::exists(kShared)) { GTEST_SKIP() << "needs ../shared/data"; }
    const ProfileImport gavel = import_shared("gavel", "gavel/simulation_throughputs.json");
    EXPECT_EQ(gavel.profiles.size(), 7U) << "ResNet-18, ResNet-50, Transformer, LM, Recommendation, A3C, CycleGAN";
    EXPECT_EQ(gavel.report.kept, 83U * 3 - 3) << "ResNet-50 at batch 128 does not run on several K80";
    const ProfileImport sia = import_shared("sia", "sia/profiles");
    EXPECT_EQ(sia.profiles.size(), 6U) << "all applications but the pipeline-parallel one";
    const ProfileImport jabas = import_shared("jabas", "jabas");
    EXPECT_EQ(jabas.report.kept, 9U) << "one worker: four sizes on the V100, five on the P100";
    const ProfileImport sailor = import_shared("sailor", "sailor");
    EXPECT_DOUBLE_EQ(sailor.profiles.back().parameters, 407431168) << "OPT-350";
    const ProfileImport rates = import_shared("throughputs", "throughputs.csv");
    EXPECT_EQ(rates.report.rows, 3535U);
    for (const ProfileImport* imported : {&gavel, &sia, &jabas, &sailor, &rates}) {
        EXPECT_EQ(imported->report.kept + dropped(*imported), imported->report.rows);
    }
}

}  // namespace
}  // namespace medley::io
