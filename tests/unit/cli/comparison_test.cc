#include "cli/comparison.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/comparison_output.h"

namespace medley::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

ComparedRun run_of(const std::string& policy, std::uint64_t seed, InformationClass information, std::optional<double> jct_s) {
    ComparedRun run;
    run.trace = "t.csv";
    run.policy = policy;
    run.seed = seed;
    run.summary.information_class = information;
    run.summary.avg_jct_s = jct_s;
    return run;
}

/// Means: wfs 15, fifo 30, srtf (an oracle) 5, max-min unknown.
std::vector<ComparedRun> four_policies() {
    std::vector<ComparedRun> runs;
    runs.push_back(run_of("wfs", 0, InformationClass::kLearned, 10));
    runs.push_back(run_of("wfs", 1, InformationClass::kLearned, 20));
    runs.push_back(run_of("fifo", 0, InformationClass::kLearned, 30));
    runs.push_back(run_of("fifo", 1, InformationClass::kLearned, 30));
    runs.push_back(run_of("srtf", 0, InformationClass::kOracle, 5));
    runs.push_back(run_of("srtf", 1, InformationClass::kOracle, 5));
    runs.push_back(run_of("max-min", 0, InformationClass::kLearned, 1));
    runs.push_back(run_of("max-min", 1, InformationClass::kLearned, std::nullopt));
    return runs;
}

TEST(Comparison, HasOneRowAPolicyWithTheMeanOverItsSeeds) {
    const auto rows = summarize_runs(four_policies(), figures().front());
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[0].means.front(), 15);
    EXPECT_EQ(rows[1].means.front(), 30);
    EXPECT_EQ(rows[3].means.front(), std::nullopt) << "a seed without the figure must not be left out in silence";
}

TEST(Comparison, RanksWithinAnInformationClassOnly) {
    const auto rows = summarize_runs(four_policies(), figures().front());
    EXPECT_EQ(rows[0].rank, 1U);
    EXPECT_EQ(rows[1].rank, 2U);
    EXPECT_EQ(rows[2].rank, 1U) << "the oracle competes with oracles";
    EXPECT_EQ(rows[3].rank, 0U);
}

TEST(Comparison, RanksTheLargerFirstWhereMoreIsBetter) {
    auto runs = four_policies();
    runs[0].summary.utilization = runs[1].summary.utilization = 0.5;
    runs[2].summary.utilization = runs[3].summary.utilization = 0.75;
    const auto utilization = std::find_if(figures().begin(), figures().end(), [](const Figure& figure) { return figure.more_is_better; });
    const auto rows = summarize_runs(runs, *utilization);
    EXPECT_EQ(rows[0].rank, 2U);
    EXPECT_EQ(rows[1].rank, 1U);
}

TEST(Comparison, EqualFiguresShareARank) {
    std::vector<ComparedRun> runs;
    for (const char* policy : {"a", "b", "c"}) { runs.push_back(run_of(policy, 0, InformationClass::kLearned, policy[0] == 'c' ? 2 : 1)); }
    const auto rows = summarize_runs(runs, figures().front());
    EXPECT_EQ(rows[0].rank, 1U);
    EXPECT_EQ(rows[1].rank, 1U);
    EXPECT_EQ(rows[2].rank, 3U);
}

TEST(Comparison, TableLeavesOutWhatIsTheSameEverywhereOrNotKnown) {
    const auto rows = summarize_runs(four_policies(), figures().front());
    const std::string table = comparison_table(rows, figures().front());
    EXPECT_THAT(table, HasSubstr("means over 2 seeds"));
    EXPECT_THAT(table, Not(HasSubstr("t.csv")));
    EXPECT_THAT(table, Not(HasSubstr("cost (USD)")));
}

TEST(Comparison, CsvHasOneLineARow) {
    const std::string csv = comparison_csv(summarize_runs(four_policies(), figures().front()));
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
    EXPECT_THAT(csv, HasSubstr("\nt.csv,,wfs,learned,2,1,15,"));
}

}  // namespace
}  // namespace medley::cli
