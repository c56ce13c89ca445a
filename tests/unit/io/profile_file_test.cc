#include "io/profile_file.h"

#include <gmock/gmock.h>

#include "tests/unit/core/refusal.h"
#include "tests/unit/io/temporary_folder.h"

namespace medley::io {
namespace {

using testing::HasSubstr;

const std::string kResnet = R"(model: resnet50
sample: image
parameters: 25557032
gradient_bytes: 102228128
state_bytes: 204456256
source: somebody
gpus:
  V100: [{batch: 256, seconds: 0.25}, {batch: 192, samples_per_s: 960, memory_bytes: 8.7e9}]
scaling:
  V100: [{gpus: 4, batch: 256, samples_per_s: 4460}, {gpus: 2, samples_per_s: 2000}]
)";

std::string resnet_with(const std::string& from, const std::string& to) {
    std::string text = kResnet;
    return text.replace(text.find(from), from.size(), to);
}

std::string profile_refusal_of(const std::string& text) {
    return refusal([&] { parse_profile(text, "p.yaml"); });
}

TEST(ProfileFile, EveryFieldArrives) {
    const Profile profile = parse_profile(kResnet, "p.yaml");
    EXPECT_EQ(profile.model.text(), "resnet50");
    EXPECT_EQ(profile.sample, "image");
    EXPECT_EQ(profile.parameters, 25557032);
    EXPECT_EQ(profile.gradient, Bytes{102228128});
    EXPECT_EQ(profile.state, Bytes{204456256});
    EXPECT_EQ(profile.source, "somebody");
    const GpuProfile* v100 = profile.find(Name("V100"));
    ASSERT_NE(v100, nullptr);
    ASSERT_EQ(v100->scaling.size(), 2);
    EXPECT_EQ(v100->scaling[0].gpus, 2);
    EXPECT_EQ(v100->scaling[0].batch, std::nullopt);
    EXPECT_EQ(v100->scaling[1].batch, Samples{256});
    EXPECT_EQ(v100->scaling[1].samples_per_s, 4460);
}

TEST(ProfileFile, RatesBecomeSecondsAndSizesAscend) {
    const Profile profile = parse_profile(kResnet, "p.yaml");
    const auto& points = profile.find(Name("V100"))->points;
    ASSERT_EQ(points.size(), 2);
    EXPECT_EQ(points[0].batch, Samples{192});
    EXPECT_EQ(points[0].seconds, Seconds{0.2});  // 192 / 960
    EXPECT_EQ(points[0].memory, Bytes{8.7e9});
    EXPECT_EQ(points[1].seconds, Seconds{0.25});
    EXPECT_EQ(points[1].memory, std::nullopt);
}

TEST(ProfileFile, MayStateNothingButHowTheModelScales) {
    const Profile profile = parse_profile("model: a\nscaling: {exponent: 0.8}\n", "p.yaml");
    EXPECT_EQ(profile.scaling_exponent, 0.8);
    EXPECT_TRUE(profile.gpus.empty());
    EXPECT_EQ(profile_refusal_of("model: a\n"), "p.yaml: line 1, gpus: expected a value, which is missing");
}

TEST(ProfileFile, WrongValuesAreRefused) {
    EXPECT_EQ(profile_refusal_of(resnet_with("seconds: 0.25", "second: 0.25")),
              "p.yaml: line 8, gpus.V100[0].second: found 'second', expected seconds (known: batch, seconds, samples_per_s, memory_bytes)");
    EXPECT_EQ(profile_refusal_of(resnet_with("seconds: 0.25", "seconds: 1, samples_per_s: 2")),
              "p.yaml: line 8, gpus.V100[0]: found 'a map', expected either seconds or samples_per_s");
    EXPECT_EQ(profile_refusal_of(resnet_with(", seconds: 0.25", "")),
              "p.yaml: line 8, gpus.V100[0]: found 'a map', expected either seconds or samples_per_s");
    EXPECT_EQ(profile_refusal_of(resnet_with("960", "-960")),
              "p.yaml: line 8, gpus.V100[1].samples_per_s: found '-960', expected a number above 0");
    EXPECT_EQ(profile_refusal_of(resnet_with("960", "1e-320")),
              "p.yaml: line 8, gpus.V100[1].samples_per_s: found '1e-320', expected a rate that gives a finite time");
    EXPECT_EQ(profile_refusal_of(resnet_with("batch: 192", "batch: many")),
              "p.yaml: line 8, gpus.V100[1].batch: found 'many', expected a whole number from 1 to 1000000000000");
    EXPECT_EQ(profile_refusal_of(resnet_with("batch: 192", "batch: 256")),
              "p.yaml: line 8, gpus.V100: found 'batch 256 twice', expected each batch size once");
    EXPECT_EQ(profile_refusal_of(resnet_with("gpus: 4,", "gpus: 0,")),
              "p.yaml: line 10, scaling.V100[0].gpus: found '0', expected a whole number from 1 to 100000000");
    EXPECT_EQ(profile_refusal_of("model: a\nscaling: {exponent: 3}\n"),
              "p.yaml: line 2, scaling.exponent: found '3', expected a number from 0 to 2");
}

TEST(ProfileFolder, IsReadByModelWhateverTheFilesAreCalled) {
    const TemporaryFolder folder;
    folder.add("x.yaml", "model: b\nscaling: {exponent: 1}\n");
    folder.add("y.yml", "model: a\nscaling: {exponent: 1}\n");
    folder.add("notes.txt", "no profile");
    folder.add("cluster.yaml", "gpu_types: {V100: }\nnodes: [{gpu: V100}]\n");
    std::filesystem::create_directories(folder.path() / "deeper.yaml");
    const auto profiles = load_profiles(folder.path());
    ASSERT_EQ(profiles.size(), 2);
    EXPECT_EQ(profiles[0].model.text(), "a");
    EXPECT_EQ(profiles[1].model.text(), "b");
}

TEST(ProfileFolder, MayBeASingleFile) {
    const TemporaryFolder folder;
    EXPECT_EQ(load_profiles(folder.add("one.yaml", kResnet)).size(), 1);
}

TEST(ProfileFolder, RefusesOneModelInTwoFiles) {
    const TemporaryFolder folder;
    const auto first = folder.add("1.yaml", kResnet);
    const auto second = folder.add("2.yaml", kResnet);
    EXPECT_EQ(
        refusal([&] { load_profiles(folder.path()); }),
        second.string() + ": model: found 'resnet50', expected each model once in a folder (it also stands in " + first.string() + ")");
}

TEST(ProfileFolder, AFileThatIsNoProfileIsNotPassedOver) {
    const TemporaryFolder folder;
    folder.add("typo.yaml", "modle: a\n");
    EXPECT_THAT(refusal([&] { load_profiles(folder.path()); }), HasSubstr("line 1, modle: found 'modle', expected model (known: "));
}

TEST(ProfileFolder, AFolderThatIsNotThereIsNamed) {
    EXPECT_EQ(refusal([] { load_profiles("no/such/folder"); }),
              "no/such/folder: cannot be read (No such file or directory): expected a folder of profiles");
}

}  // namespace
}  // namespace medley::io
