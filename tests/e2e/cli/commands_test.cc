/// The small commands that show what is known.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/e2e/cli/program.h"
#include "tests/support/source_folder.h"

namespace medley::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json printed(Arguments arguments) {
    arguments.emplace_back("--json");
    const Outcome outcome = medley(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    return json::parse(outcome.out);
}

bool names(const json& list, const char* key, const std::string& name) {
    return std::any_of(list.begin(), list.end(), [&](const json& entry) { return entry[key] == name; });
}

TEST(Commands, GpusKnowsTheCatalogueAndAnyClusterFile) {
    const json catalogue = printed({"gpus"});
    for (const char* type : {"V100", "P100", "K80", "H100", "A100-80GB"}) {
        EXPECT_TRUE(names(catalogue["gpu_types"], "name", type)) << type;
    }
    const json cluster = printed({"gpus", "--cluster", kCluster});
    EXPECT_EQ(cluster["gpu_types"].size(), 1U);
    EXPECT_THAT(medley({"gpus"}).out, HasSubstr("memory (GiB)"));
}

TEST(Commands, ModelsFindsTheShippedProfiles) {
    EXPECT_TRUE(names(printed({"models"})["models"], "model", "resnet50"));
    const json models = printed({"models", "--profiles", "profiles/virtualflow-elastic"});
    EXPECT_EQ(models["models"].size(), 6U);
    EXPECT_THAT(medley({"models"}).out, HasSubstr("bert-base-sst2"));
}

TEST(Commands, ModelsRefusesAFolderWithoutAny) {
    const TemporaryFolder folder;
    EXPECT_TRUE(medley({"models", "--profiles", folder.path().string()}).is_one_line_refusal());
}

TEST(Commands, PoliciesNamesEachWithItsClassAndOptions) {
    const json policies = printed({"policies"});
    for (const char* policy :
         {"fifo", "sjf", "srtf", "priority", "easy-backfill", "isolated", "wfs", "max-min", "max-min-het", "virtualflow"}) {
        EXPECT_TRUE(names(policies["policies"], "name", policy)) << policy;
    }
    const json one = printed({"policies", "virtualflow"});
    EXPECT_EQ(one["policies"].size(), 1U);
    EXPECT_TRUE(names(one["policies"][0]["options"], "name", "mixed"));
    EXPECT_THAT(medley({"policies", "virtualflow"}).out, HasSubstr("mixed"));
}

TEST(Commands, ClusterValidateSaysWhatIsThere) {
    const json cluster = printed({"cluster", "validate", kCluster});
    EXPECT_EQ(cluster["valid"], true);
    EXPECT_EQ(cluster["gpus"], 8);
    EXPECT_THAT(medley({"cluster", "validate", kCluster}).out, HasSubstr("valid, 8 GPUs"));
}

TEST(Commands, EveryShippedClusterIsValid) {
    for (const auto& entry : std::filesystem::directory_iterator(test::source_path("profiles/clusters"))) {
        EXPECT_EQ(medley({"cluster", "validate", entry.path().string()}).exit_code, 0) << entry.path();
    }
}

TEST(Commands, ProfilesAreFoundThroughTheEnvironmentToo) {
    const TemporaryFolder folder;
    std::filesystem::copy_file(test::source_path("profiles/resnet50.yaml"), folder / "a.yaml");
    const Outcome outcome = run_program("/usr/bin/env", {"MEDLEY_PROFILES=" + folder.path().string(), MEDLEY_PROGRAM, "models", "--json"});
    EXPECT_EQ(json::parse(outcome.out)["models"].size(), 1U) << outcome.error;
}

}  // namespace
}  // namespace medley::test
