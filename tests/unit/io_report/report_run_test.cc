#include "io/report/report_run.h"

#include <cmath>

#include <gmock/gmock.h>

#include "io/report/job_columns.h"
#include "tests/unit/io_report/reported_small_log.h"
#include "tests/unit/io_report/unpacked.h"

namespace medley::io {
namespace {

using nlohmann::json;
using testing::ElementsAre;

struct Decoded {
    json run;
    std::string bytes;

    explicit Decoded(const EncodedRun& encoded)
        : run(json::parse(encoded.json)), bytes(test::inflated(test::from_base64(encoded.columns))) {}

    template <class T>
    std::vector<T> column(const std::string& name) const {
        return test::column<T>(run["details"]["columns"], bytes, name);
    }
};

TEST(ReportRun, HoldsTheSummaryAsItIs) {
    const test::SmallRun small;
    const Decoded decoded(encode_run(small.reported()));
    EXPECT_EQ(decoded.run["summary"], json::parse(small.summary));
    EXPECT_TRUE(decoded.run["executed"].is_null());
    EXPECT_EQ(decoded.run["details"]["gpu_types"][1]["price_usd_per_hour"], nullptr);
    EXPECT_EQ(decoded.run["details"]["gpu_types"][1]["lanes"], 4);
}

TEST(ReportRun, ItsDistributionsAreThoseOfTheSummary) {
    const test::SmallRun small;
    const Summary summary = small.metrics.summary();
    const std::vector<double> jct = Decoded(encode_run(small.reported())).column<double>("quantile.jct_s");
    ASSERT_EQ(jct.size(), 1001U);
    EXPECT_DOUBLE_EQ(jct[500], *summary.median_jct_s);
    EXPECT_DOUBLE_EQ(jct[900], *summary.p90_jct_s);
    EXPECT_DOUBLE_EQ(jct[990], *summary.p99_jct_s);
}

TEST(ReportRun, ItsLedgerOverTimeAddsUpToTheSummarys) {
    const test::SmallRun small;
    const Decoded decoded(encode_run(small.reported()));
    const std::vector<double> amounts = decoded.column<double>("ledger.gpu_seconds");
    const std::size_t stretches = decoded.column<double>("ledger.start_s").size();
    ASSERT_EQ(amounts.size(), 2 * kLedgerBins * stretches);
    for (std::size_t bin = 0; bin < kLedgerBins; ++bin) {
        double sum = 0;
        for (std::size_t type = 0; type < 2; ++type) {
            for (std::size_t stretch = 0; stretch < stretches; ++stretch) {
                sum += amounts[(type * kLedgerBins + bin) * stretches + stretch];
            }
        }
        EXPECT_NEAR(sum, decoded.run["summary"]["ledger_gpu_seconds"][kLedgerBinNames[bin]].get<double>(), 1e-9) << kLedgerBinNames[bin];
    }
}

TEST(ReportRun, HoldsEveryJobAndWhereItWas) {
    const test::SmallRun small;
    const Decoded decoded(encode_run(small.reported()));
    const double tick = decoded.run["details"]["tick_s"];
    EXPECT_THAT(decoded.column<std::uint32_t>("job.id_bytes"), ElementsAre(1, 2, 1));
    EXPECT_THAT(decoded.column<char>("job.ids"), ElementsAre('a', 'b', '"', 'c'));
    EXPECT_THAT(decoded.column<std::uint8_t>("job.state"), ElementsAre(2, 4, 3));
    const auto queueing = decoded.column<std::uint32_t>("job.queueing");
    EXPECT_DOUBLE_EQ(queueing[0] * tick, 1);
    EXPECT_EQ(queueing[1], Ticks::kNone);
    EXPECT_DOUBLE_EQ(decoded.column<std::uint32_t>("job.run")[0] * tick, 106);
    EXPECT_TRUE(std::isnan(decoded.column<float>("job.slowdown")[1]));
    EXPECT_EQ(decoded.column<std::uint32_t>("span.job").size(), 7U);
    EXPECT_EQ(decoded.run["details"]["models"], (json{"resnet50", ""}));
}

TEST(ReportRun, LeavesOutTheShortestSpansAndSaysSo) {
    const test::SmallRun small;
    const Decoded decoded(encode_run(small.reported(), 3));
    EXPECT_EQ(decoded.run["details"]["spans_left_out"], 4);
    EXPECT_EQ(decoded.run["details"]["longest_left_out_s"], 2);
    const double tick = decoded.run["details"]["tick_s"];
    EXPECT_DOUBLE_EQ(decoded.column<std::uint32_t>("span.length").back() * tick, 99);
}

TEST(ReportRun, WithoutJobsHoldsFiguresAlone) {
    const test::SmallRun small;
    ReportedRun run = small.reported();
    run.with_jobs = false;
    const std::string contents = Decoded(encode_run(run)).run["details"]["columns"].dump();
    EXPECT_THAT(contents, testing::Not(testing::HasSubstr("job.")));
    EXPECT_THAT(contents, testing::HasSubstr("quantile.jct_s"));
}

TEST(ReportRun, ARealRunHasBothItsOwnSummaryAndTheLogs) {
    const test::SmallRun small;
    ReportedRun run = small.reported();
    run.executed = true;
    run.summary = R"({"format": 1, "job": "gpt", "losses": [2, 1]})";
    const Decoded decoded(encode_run(run));
    EXPECT_EQ(decoded.run["executed"]["losses"], (json{2, 1}));
    EXPECT_EQ(decoded.run["summary"]["jobs_total"], 3);
}

TEST(Ticks, AreTheSmallestPowerOfTenThatReachesTheEnd) {
    EXPECT_EQ(Ticks(SimTime{5}, SimTime{105}).tick(), SimTime{1});
    const SimTime year = to_sim_time(Seconds{365 * 86400.0});
    const Ticks ticks(SimTime{0}, year);
    EXPECT_EQ(ticks.tick(), SimTime{10'000'000});
    EXPECT_EQ(ticks.at(year), 3'153'600'000U);
}

}  // namespace
}  // namespace medley::io
