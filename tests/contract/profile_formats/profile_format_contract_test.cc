/// What every profile format promises, tried with a small source of its own.

#include <map>
#include <vector>

#include <gmock/gmock.h>

#include "io/profile_file.h"
#include "io/profile_formats/profile_format.h"
#include "io/profile_writing.h"
#include "tests/unit/core/refusal.h"
#include "tests/unit/io/temporary_folder.h"

namespace medley::io {
namespace {

/// Files of a source by their path in its folder. A single one named "source" is the source itself.
using Source = std::map<std::string, std::string>;

// Of each format: figures that can be used, and at least one that cannot.
const std::map<std::string, Source, std::less<>> kExamples = {
    {"gavel", {{"source", R"json({"v100": {"('LM (batch size 5)', 1)": {"null": 4, "('LM (batch size 5)', 1)": [2, 2]}}})json"}}},
    {"sia",
     {{"bert/placements-aws.csv", "placement,local_bsz,step_time,sync_time\n1,8,0.5,0.1\n2,8,0.6,0.2\n11,8,0.8,0.3\n"},
      {"bert/validation-8.csv", "progress,iteration\n1,1\n"}}},
    {"jabas",
     {{"a_comp_profile.json",
       R"({"model": "net", "gpu_type": "V100", "lbs": 32, "num_models": 1, "fwd_time": 20, "bwd_time": 30, "update_time": 2})"},
      {"b_comp_profile.json",
       R"({"model": "net", "gpu_type": "V100", "lbs": 32, "num_models": 2, "fwd_time": 39, "bwd_time": 58, "update_time": 2})"}}},
    {"sailor", {{"OPT/A100/profile.json", R"({"2": {"1": {"0": [0.1, 0.2, 0.01], "1": [0.3, 0.4, 0.02]}, "2": {"0": [0.1, 0.1, 0]}}})"}}},
    {"throughputs",
     {{"source", "gpu,model,local_batch_size,precision,samples_per_sec,source\nV100,net,8,amp,16,a/b@1:x\nV100,net,,amp,17,a/b@1:x\n"}}},
};

class EveryProfileFormat : public testing::TestWithParam<const ProfileFormat*> {
 protected:
    EveryProfileFormat() {
        for (const auto& [file, text] : kExamples.at(std::string(GetParam()->name()))) {
            std::filesystem::create_directories((folder_.path() / "in" / file).parent_path());
            folder_.add("in/" + file, text);
        }
        source_ = folder_.path() / "in";
        if (std::filesystem::exists(source_ / "source")) { source_ /= "source"; }
    }

    ProfileImport import(const ProfileImportOptions& options = {}) const { return import_profiles(*GetParam(), source_, options); }

    TemporaryFolder folder_;
    std::filesystem::path source_;
};

TEST_P(EveryProfileFormat, DescribesItselfInOneLineAndIsFoundByName) {
    EXPECT_FALSE(GetParam()->description().empty());
    EXPECT_EQ(GetParam()->description().find('\n'), std::string_view::npos);
    EXPECT_EQ(&find_profile_format(GetParam()->name()), GetParam());
}

TEST_P(EveryProfileFormat, AccountsForEveryRow) {
    const ProfileImportReport report = import().report;
    std::size_t rows = report.kept;
    for (const auto& [reason, count] : report.dropped) {
        EXPECT_FALSE(reason.empty());
        rows += count;
    }
    EXPECT_EQ(rows, report.rows);
    EXPECT_GT(report.kept, 0U);
    EXPECT_FALSE(report.dropped.empty());
    EXPECT_FALSE(report.meaning.empty());
}

TEST_P(EveryProfileFormat, GivesProfilesThatAreReadBackUnchangedAndSayWhereTheyComeFrom) {
    for (const Profile& profile : import().profiles) {
        const std::string text = format_profile(profile);
        EXPECT_EQ(format_profile(parse_profile(text, "imported.yaml")), text);
        EXPECT_THAT(profile.source, testing::HasSubstr(source_.string()));
        EXPECT_FALSE(profile.gpus.begin()->second.points.empty());
    }
}

TEST_P(EveryProfileFormat, GpuTypesAreRenamedAndUnknownOnesRefused) {
    const Name type = import().profiles.front().gpus.begin()->first;
    const ProfileImport renamed = import({.renamed = {{type, Name("other")}}});
    EXPECT_NE(renamed.profiles.front().find(Name("other")), nullptr);
    EXPECT_EQ(renamed.profiles.front().find(type), nullptr);
    EXPECT_THAT(refusal([&] { import({.renamed = { { Name("none"), Name("other") } }}); }), testing::HasSubstr("found 'none'"));
}

TEST_P(EveryProfileFormat, RefusesWhatIsNotOfIt) {
    const auto wrong_file = folder_.add("wrong", "this is,no profile\n1,2\n");
    const auto wrong_folder = folder_.path() / "empty";
    std::filesystem::create_directory(wrong_folder);
    const bool takes_file = source_.filename() == "source";
    EXPECT_THAT(refusal([&] { import_profiles(*GetParam(), takes_file ? wrong_file : wrong_folder, {}); }),
                testing::StartsWith((takes_file ? wrong_file : wrong_folder).string()));
    EXPECT_THAT(refusal([&] { import_profiles(*GetParam(), folder_.path() / "missing", {}); }),
                testing::StartsWith((folder_.path() / "missing").string()));
}

INSTANTIATE_TEST_SUITE_P(ProfileFormats, EveryProfileFormat, testing::ValuesIn(profile_formats()),
                         [](const auto& row) { return std::string(row.param->name()); });

}  // namespace
}  // namespace medley::io
