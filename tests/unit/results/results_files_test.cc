#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/results/jobs_csv.h"
#include "io/results/summary_json.h"
#include "io/results/utilization_csv.h"
#include "tests/support/summary_fields.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/results/small_log.h"

namespace medley::io {
namespace {

using test::contents;
using test::small_log;
using test::TemporaryFolder;

class ResultsFiles : public testing::Test {
 protected:
    ResultsFiles() {
        for (const LogRecord& record : small_log()) { metrics_.record(record); }
    }

    Metrics metrics_;
    TemporaryFolder folder_;
};

// Job a: submitted at 0, started at 1, finished at 107; without GPUs 0-1 and 7-8: 2 s. GPU-seconds: 3 s x 2, 3 s x 4, 99 s x 2 = 216; the
// slow GPUs have no price, so neither has the job. Slowdown 107 / max(100, 10) = 1.07. rho: jobs present on average during its life:
// a all of it, c from 0.5 to 8: (107 + 7.5) / 107 = 1.07009...; times 2 GPUs / 6 is less than 1, so rho = 107 / 150.
TEST_F(ResultsFiles, JobsAreOneRowEachInOrderOfSubmission) {
    OutputFile file(folder_ / "jobs.csv");
    write_jobs_csv(file, metrics_);
    file.commit();
    EXPECT_EQ(contents(folder_ / "jobs.csv"),
              "job_id,model,submit_s,first_start_s,finish_s,jct_s,queueing_s,waiting_s,gpu_seconds,resizes,preemptions,ftf_rho,"
              "bounded_slowdown,cost_usd,state\n"
              "a,resnet50,0,1,107,107,1,2,216,1,1,0.7133333333333334,1.07,,completed\n"
              "\"b\"\"\",,0,,,,,0,0,0,0,,,0,rejected\n"
              "c,,0.5,,,,,7.5,0,0,0,,,0,cancelled\n");
}

TEST_F(ResultsFiles, UtilizationCoversTheLogInBins) {
    OutputFile file(folder_ / "utilization.csv");
    write_utilization_csv(file, metrics_);
    file.commit();
    const std::string text = contents(folder_ / "utilization.csv");
    EXPECT_TRUE(text.starts_with("start_s,end_s,present_gpus,held_gpus,running_jobs,waiting_jobs\n0,")) << text;
    EXPECT_NE(text.find(",107,"), std::string::npos) << text;
}

TEST_F(ResultsFiles, SummaryHasEveryFieldOfTheInterface) {
    JsonWriter json;
    write_summary(json, metrics_.summary(), {.total_s = 1.5, .policy_s = 0.5});
    const nlohmann::json summary = nlohmann::json::parse(json.text());
    for (const char* field : test::kSummaryFields) { EXPECT_TRUE(summary.contains(field)) << field; }
    EXPECT_EQ(summary["format"], 1);
    EXPECT_EQ(summary["policy_options"], (nlohmann::json{{"mixed", "true"}}));
    EXPECT_EQ(summary["information_class"], "oracle");
    EXPECT_EQ(summary["jobs_total"], 3);
    EXPECT_EQ(summary["avg_jct_s"], 107);
    EXPECT_EQ(summary["cost_usd"], nullptr) << "the price of the slow type is not known";
    EXPECT_EQ(summary["wall_s"], 1.5);
}

TEST_F(ResultsFiles, LedgerBinsAddUpToTheirTotal) {
    JsonWriter json;
    write_summary(json, metrics_.summary(), {});
    const nlohmann::json ledger = nlohmann::json::parse(json.text())["ledger_gpu_seconds"];
    double sum = 0;
    for (const auto& [bin, seconds] : ledger.items()) { sum += bin == "total" ? 0 : seconds.get<double>(); }
    EXPECT_DOUBLE_EQ(sum, 107.0 * 6) << "107 s of 6 GPUs";
    EXPECT_DOUBLE_EQ(ledger["total"], sum);
}

TEST(SummaryJson, WritesTheWindowAsFirstAndLast) {
    Summary summary;
    summary.window = {.first = 3, .last = 9};
    JsonWriter json;
    write_summary(json, summary, {});
    EXPECT_EQ(nlohmann::json::parse(json.text())["window"], (nlohmann::json{{"first", 3}, {"last", 9}}));
}

}  // namespace
}  // namespace medley::io
