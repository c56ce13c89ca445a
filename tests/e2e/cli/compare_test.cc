/// medley compare.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/e2e/cli/program.h"

namespace medley::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

Arguments compare_command(const std::string& policies, const Arguments& more = {}) {
    Arguments arguments{"compare", "--cluster", kCluster, "--trace", kTrace, "--profiles", kProfiles, "--policies", policies};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

json without_wall_times(json comparison) {
    for (json& run : comparison["runs"]) {
        run["summary"].erase("wall_s");
        run["summary"].erase("wall_policy_s");
    }
    return comparison;
}

TEST(Compare, AgreesWithSimulateForEveryPolicy) {
    const json comparison = json::parse(medley(compare_command("fifo;wfs;srtf", {"--json"})).out);
    ASSERT_EQ(comparison["rows"].size(), 3U);
    for (const json& row : comparison["rows"]) {
        const json alone = json::parse(medley(simulate_command(row["policy"].get<std::string>(), {"--json"})).out);
        for (const char* field : {"avg_jct_s", "median_jct_s", "makespan_s", "utilization", "jain_fairness"}) {
            EXPECT_EQ(row[field], alone[field]) << row["policy"] << field;
        }
    }
}

TEST(Compare, GivesTheSameForAnyNumberOfThreads) {
    const auto compared = [](const std::string& threads) {
        const Arguments more{"--json", "--threads", threads, "--seeds", "1,2,3", "--speed-noise", "0.2", "--what-if", "+8 V100"};
        return without_wall_times(json::parse(medley(compare_command("fifo;wfs;srtf", more)).out));
    };
    const json one = compared("1");
    EXPECT_EQ(one["runs"].size(), 3U * 3U * 2U);
    EXPECT_EQ(one, compared("4"));
}

TEST(Compare, WritesARunsResultsAsSimulateDoes) {
    const TemporaryFolder folder;
    const std::string out = (folder / "out").string();
    ASSERT_EQ(medley(compare_command("fifo;wfs", {"--out", out})).exit_code, 0);
    ASSERT_EQ(medley(simulate_command("wfs", {"--out", (folder / "wfs").string()})).exit_code, 0);
    for (const char* file : {"events.jsonl", "jobs.csv", "utilization.csv"}) {
        EXPECT_EQ(contents(folder / "out" / "002-wfs" / file), contents(folder / "wfs" / file)) << file;
    }
    const json comparison = json::parse(contents(folder / "out" / "comparison.json"));
    EXPECT_EQ(comparison["runs"][1]["directory"], out + "/002-wfs");
    EXPECT_THAT(contents(folder / "out" / "comparison.csv"), HasSubstr("wfs"));
}

TEST(Compare, LeavesNothingWhereOneRunFails) {
    const TemporaryFolder folder;
    const std::string out = (folder / "out").string();
    const Outcome outcome = medley(compare_command("fifo;wfs", {"--out", out, "--window", "0:99"}));
    EXPECT_TRUE(outcome.is_one_line_refusal()) << outcome.error;
    EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(Compare, RanksWithinAnInformationClass) {
    const json rows = json::parse(medley(compare_command("fifo;priority;srtf", {"--json", "--rank-by", "makespan_s"})).out)["rows"];
    EXPECT_EQ(rows[2]["information_class"], "oracle");
    EXPECT_EQ(rows[2]["rank_in_class"], 1);
    EXPECT_EQ(rows[0]["rank_in_class"].get<int>() + rows[1]["rank_in_class"].get<int>(), 3);
    const bool first_is_faster = rows[0]["makespan_s"] < rows[1]["makespan_s"];
    EXPECT_EQ(rows[first_is_faster ? 0 : 1]["rank_in_class"], 1);
}

TEST(Compare, MoreGpusFromTheCatalogueAreAWhatIf) {
    const TemporaryFolder folder;
    const std::string trace = write_file(folder, "t.csv", "job_id,submit_s,gpus,duration_s\n1,0,8,100\n2,0,8,100\n");
    const json rows = json::parse(
        medley({"compare", "--cluster", kCluster, "--trace", trace, "--policies", "fifo", "--what-if", "+8 H100", "--json"}).out)["rows"];
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0]["makespan_s"], 200);
    EXPECT_EQ(rows[1]["makespan_s"], 100) << "the second job runs beside the first";
}

TEST(Compare, SetsASimulatedLogAgainstAnExecutedOne) {
    const TemporaryFolder folder;
    const std::string plain = (folder / "plain").string();
    const std::string late = (folder / "late").string();
    ASSERT_EQ(medley(simulate_command("priority", {"--out", plain})).exit_code, 0);
    ASSERT_EQ(medley(simulate_command("priority", {"--out", late, "--startup-overhead", "75"})).exit_code, 0);
    const auto compared = [](const std::string& simulated, const std::string& executed) {
        return json::parse(medley({"compare", "--simulated", simulated, "--executed", executed, "--json"}).out);
    };
    const json same = compared(plain, plain);
    EXPECT_EQ(same["jobs_matched"], 20);
    EXPECT_EQ(same["max_jct_error"], 0);
    EXPECT_EQ(same["figures"]["avg_jct_s"]["relative_difference"], 0);
    const json off = compared(plain, late);
    EXPECT_LT(off["figures"]["makespan_s"]["relative_difference"], 0);
    EXPECT_GT(off["mean_jct_error"], 0);
    EXPECT_THAT(medley({"compare", "--simulated", plain, "--executed", late}).out, HasSubstr("jobs completed in both: 20"));
    EXPECT_TRUE(medley({"compare", "--simulated", plain}).is_one_line_refusal());
    EXPECT_TRUE(medley(compare_command("fifo", {"--simulated", plain, "--executed", late})).is_one_line_refusal());
    EXPECT_TRUE(medley({"compare", "--simulated", plain, "--executed", folder.path().string()}).is_one_line_refusal());
}

TEST(Compare, ShowsOneRowAPolicy) {
    const std::string text = medley(compare_command("fifo;priority;wfs")).out;
    for (const char* part : {"policy", "rank", "JCT mean (s)", "fifo", "priority", "wfs", "among policies that know the same"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
}

}  // namespace
}  // namespace medley::test
