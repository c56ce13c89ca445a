/// 300 jobs on a real Slurm 22.05, recorded with `tools/slurm-truth --seed 1` into tests/data/slurm.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/slurm/replay.h"
#include "tests/support/source_folder.h"

namespace medley::test {
namespace {

using testing::HasSubstr;

const std::string kRecorded = test::source_path("tests/data/slurm");
/// Two backfill intervals of the recorded site.
const std::string kTwoCycles = "10s";

TEST(RecordedSlurm, StartTimesArePredicted) {
    const TemporaryFolder work;
    const Replay replayed = replay(kRecorded, work, kTwoCycles);
    EXPECT_EQ(replayed.import["rows"], 300);
    EXPECT_EQ(replayed.comparison["jobs"], replayed.import["jobs"]);
    EXPECT_EQ(replayed.comparison["only_recorded"], 0);
    EXPECT_LT(replayed.comparison["median_error_s"].get<double>(), 2.0) << replayed.table;
    EXPECT_GE(replayed.comparison["within_fraction"].get<double>(), 0.75) << replayed.table;
}

// The comparison can tell a wrong model from a right one: first come, first served is further off.
TEST(RecordedSlurm, AnotherPolicyDoesNotPredictThem) {
    const TemporaryFolder work;
    const Replay replayed = replay(kRecorded, work, kTwoCycles);
    const std::string results = (work / "fifo").string();
    const std::string trace = (work / "trace.csv").string();
    ASSERT_EQ(
        medley({"simulate", "--cluster", (work / "site.yaml").string(), "--trace", trace, "--policy", "fifo", "--out", results}).exit_code,
        0);
    const Outcome compared = medley({"compare", "--simulated", results, "--recorded", trace, "--within", kTwoCycles, "--json"});
    EXPECT_LT(nlohmann::json::parse(compared.out)["within_fraction"].get<double>(), replayed.comparison["within_fraction"].get<double>());
}

TEST(RecordedSlurm, TheClusterIsSaidInWordsAndNumbers) {
    Arguments import = {"cluster", "import", "--format", "slurm", "--json", "-o"};
    const TemporaryFolder work;
    import.push_back((work / "site.yaml").string());
    const Arguments files = site_files(kRecorded);
    import.insert(import.end(), files.begin(), files.end());
    const nlohmann::json said = nlohmann::json::parse(medley(import).out);
    EXPECT_EQ(said["gpus"], 40);
    EXPECT_EQ(said["gpu_types"][0]["gpu_type"], "t4") << "the lowest weight first";
    EXPECT_EQ(said["gpu_types"][0]["gpus"], 8);
    EXPECT_EQ(medley({"cluster", "validate", (work / "site.yaml").string()}).exit_code, 0);
}

TEST(RecordedSlurm, WrongInputIsRefusedInOneLine) {
    const TemporaryFolder work;
    const std::string other = write_file(work, "other.txt", "hello\n");
    EXPECT_TRUE(medley({"cluster", "import", "--format", "slurm", other}).is_one_line_refusal());
    EXPECT_TRUE(medley({"cluster", "import", "--format", "slurm", kRecorded + "/nodes.txt", "--origin", "1"}).is_one_line_refusal());
    EXPECT_TRUE(medley({"trace", "import", "--format", "slurm", other, "-o", (work / "t.csv").string()}).is_one_line_refusal());
    EXPECT_TRUE(medley({"compare", "--simulated", work.path().string()}).is_one_line_refusal());
    EXPECT_THAT(medley({"compare", "--simulated", work.path().string(), "--recorded", other}).error, HasSubstr("events.jsonl"));
}

}  // namespace
}  // namespace medley::test
