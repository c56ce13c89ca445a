#include "sched/metrics.h"

#include <gtest/gtest.h>

#include "sched/tee_sink.h"

namespace medley {
namespace {

SimTime at(double seconds) { return to_sim_time(Seconds{seconds}); }
JobId job(std::size_t index) { return JobId(index); }
const Grants kBothA{{.type = GpuTypeId(std::size_t{0}), .gpus = 2}};

HeaderRecord header() {
    return {.policy = "by-hand",
            .gpu_types = {{.name = Name("A"), .gpus = 2, .price_usd_per_hour = 3.6, .power_w = 1000}, {.name = Name("B"), .gpus = 2}}};
}

SubmitRecord submit(std::size_t index, double time_s, double alone_s, double isolated_s, std::optional<Seconds> deadline = {}) {
    static const std::string ids[] = {"first", "second", "third"};
    return {.time = at(time_s),
            .job = job(index),
            .id = ids[index],
            .model = Name("m"),
            .gpus = 2,
            .deadline = deadline,
            .total_work = alone_s,
            .alone = Seconds{alone_s},
            .isolated = Seconds{isolated_s},
            .nominal_gpus = 2};
}

/// Job 0 starts at 0, runs from 10 to 110, a quarter of it communication. Job 1 comes at 20, waits, runs from 110 to 160.
void play(EventSink& log) {
    log.record(header());
    log.record(submit(0, 0, 100, 100, Seconds{150}));
    log.record(LaunchRecord{.time = at(0), .job = job(0), .grants = kBothA});
    log.record(RunRecord{.time = at(10), .job = job(0), .work_per_s = 1, .communication_fraction = 0.25});
    log.record(submit(1, 20, 50, 80, Seconds{50}));
    log.record(FinishRecord{.time = at(110), .job = job(0), .work_done = 100});
    log.record(LaunchRecord{.time = at(110), .job = job(1), .grants = kBothA});
    log.record(RunRecord{.time = at(110), .job = job(1), .work_per_s = 1});
    log.record(FinishRecord{.time = at(160), .job = job(1), .work_done = 50});
    log.record(EndRecord{.time = at(160), .events = 6, .decisions = 4});
}

// Until it is released at 100, job 1 could not have used the two free B: 200 GPU-seconds idle, then 60 fragmented until its launch at 130.
TEST(Metrics, AJobHeldBackByAnotherDoesNotMakeFreeGpusFragmented) {
    Metrics metrics;
    metrics.record(header());
    metrics.record(submit(0, 0, 100, 100));
    SubmitRecord second = submit(1, 0, 50, 50);
    second.held_back = true;
    metrics.record(second);
    metrics.record(LaunchRecord{.time = at(0), .job = job(0), .grants = kBothA});
    metrics.record(RunRecord{.time = at(0), .job = job(0), .work_per_s = 1});
    metrics.record(ReleaseRecord{.time = at(100), .job = job(1)});
    metrics.record(FinishRecord{.time = at(130), .job = job(0), .work_done = 130});
    metrics.record(LaunchRecord{.time = at(130), .job = job(1), .grants = kBothA});
    metrics.record(EndRecord{.time = at(130), .events = 4, .decisions = 3});
    const Summary summary = metrics.summary();
    EXPECT_EQ(gpu_seconds(summary.ledger[LedgerBin::kIdle]), 200);
    EXPECT_EQ(gpu_seconds(summary.ledger[LedgerBin::kFragmented]), 60);
}

// The contract: last finish - first submission, however long a job that never finishes is waited for.
TEST(Metrics, TheMakespanEndsWithTheLastFinish) {
    Metrics metrics;
    metrics.record(header());
    metrics.record(submit(0, 0, 100, 100));
    metrics.record(LaunchRecord{.time = at(0), .job = job(0), .grants = kBothA});
    metrics.record(submit(1, 5, 50, 50));
    metrics.record(RunRecord{.time = at(10), .job = job(0), .work_per_s = 1});
    metrics.record(FinishRecord{.time = at(110), .job = job(0), .work_done = 100});
    metrics.record(EndRecord{.time = at(1000), .events = 3, .decisions = 2});
    EXPECT_DOUBLE_EQ(*metrics.summary().makespan_s, 110);
}

TEST(Metrics, OfALogWorkedOutByHand) {
    Metrics metrics;
    play(metrics);
    const Summary summary = metrics.summary();
    EXPECT_EQ(summary.jobs_total, 2U);
    EXPECT_EQ(summary.jobs_completed, 2U);
    EXPECT_DOUBLE_EQ(*summary.avg_jct_s, 125);  // 110 and 140
    EXPECT_DOUBLE_EQ(*summary.median_jct_s, 125);
    EXPECT_DOUBLE_EQ(*summary.p90_jct_s, 137);
    EXPECT_DOUBLE_EQ(*summary.makespan_s, 160);
    EXPECT_DOUBLE_EQ(*summary.avg_queueing_s, 45);
    EXPECT_DOUBLE_EQ(*summary.avg_waiting_s, 45);
    EXPECT_DOUBLE_EQ(*summary.avg_bounded_slowdown, (1.1 + 2.8) / 2);
    EXPECT_DOUBLE_EQ(*summary.utilization, 0.5);  // 2 of 4 GPUs all the time
    EXPECT_DOUBLE_EQ(*summary.deadline_miss_fraction, 0.5);
    EXPECT_DOUBLE_EQ(summary.gpu_hours[0].second, 320 / 3600.0);
    EXPECT_DOUBLE_EQ(*summary.cost_usd, 0.32);  // B has no price, but was not used
    EXPECT_DOUBLE_EQ(*summary.energy_kwh, 320 / 3600.0);
    EXPECT_EQ(summary.rounds, 4U);
    EXPECT_EQ(summary.events, 6U);
    EXPECT_FALSE(summary.saturated);
}

// n x 2 / 4 is 200/110 / 2 for job 0 and 230/140 / 2 for job 1, both below 1: the shares are whole clusters.
TEST(Metrics, FairnessComparesWithAnEqualShare) {
    Metrics metrics;
    play(metrics);
    const Summary summary = metrics.summary();
    EXPECT_DOUBLE_EQ(*metrics.row(0).ftf_rho, 1.1);
    EXPECT_DOUBLE_EQ(*metrics.row(1).ftf_rho, 1.75);
    EXPECT_DOUBLE_EQ(*summary.max_ftf_rho, 1.75);
    const double a = 1 / 1.1;
    const double b = 1 / 1.75;
    EXPECT_DOUBLE_EQ(*summary.jain_fairness, (a + b) * (a + b) / (2 * (a * a + b * b)));
}

// Three jobs at once on 2 + 2 GPUs, each for 2: a share of 4/3 GPUs takes 3/2 times as long.
TEST(Metrics, AShareBelowTheGangTakesLonger) {
    Metrics metrics;
    metrics.record(header());
    for (std::size_t index = 0; index < 3; ++index) { metrics.record(submit(index, 0, 100, 100)); }
    for (std::size_t index = 0; index < 3; ++index) {
        metrics.record(LaunchRecord{.time = at(0), .job = job(index), .grants = {{.type = GpuTypeId(std::size_t{0}), .gpus = 1}}});
    }
    for (std::size_t index = 0; index < 3; ++index) { metrics.record(FinishRecord{.time = at(300), .job = job(index)}); }
    metrics.record(EndRecord{.time = at(300)});
    EXPECT_DOUBLE_EQ(*metrics.row(0).ftf_rho, 300 / (100 * 3 * 2 / 4.0));
}

// 10 s start-up and 100 + 50 s of work on 2 GPUs, a quarter of the first 100 s waiting. B's 2 GPUs are free for 160 s, during 90 of them
// job 1 waits, which would fit.
TEST(Metrics, LedgerPutsEveryGpuSecondIntoOneBin) {
    Metrics metrics;
    play(metrics);
    const Ledger ledger = metrics.summary().ledger;
    EXPECT_EQ(gpu_seconds(ledger[LedgerBin::kStartup]), 20);
    EXPECT_EQ(gpu_seconds(ledger[LedgerBin::kCommunication]), 50);
    EXPECT_EQ(gpu_seconds(ledger[LedgerBin::kUseful]), 250);
    EXPECT_EQ(gpu_seconds(ledger[LedgerBin::kFragmented]), 180);
    EXPECT_EQ(gpu_seconds(ledger[LedgerBin::kIdle]), 140);
    EXPECT_EQ(gpu_seconds(ledger.total()), 640);
}

TEST(Metrics, RowsHoldEachJobsLife) {
    Metrics metrics;
    play(metrics);
    ASSERT_EQ(metrics.job_count(), 2U);
    const JobRow row = metrics.row(1);
    EXPECT_EQ(row.id, "second");
    EXPECT_EQ(row.first_start, at(110));
    EXPECT_EQ(row.finish, at(160));
    EXPECT_EQ(row.jct_s, 140);
    EXPECT_EQ(row.queueing_s, 90);
    EXPECT_EQ(row.waiting_s, 90);
    EXPECT_EQ(row.gpu_seconds, 100);
    EXPECT_DOUBLE_EQ(*row.cost_usd, 0.1);
    EXPECT_STREQ(to_string(row.state), "completed");
}

TEST(Metrics, AWindowCountsItsJobsOnlyAndUtilizationFromTheirFirstSubmissionToTheirLastFinish) {
    Metrics metrics({.first = 0, .last = 1});
    play(metrics);
    const Summary summary = metrics.summary();
    EXPECT_EQ(summary.jobs_total, 1U);
    EXPECT_DOUBLE_EQ(*summary.avg_jct_s, 110);
    EXPECT_DOUBLE_EQ(*summary.makespan_s, 110);
    EXPECT_DOUBLE_EQ(*summary.utilization, 0.5);
    EXPECT_DOUBLE_EQ(summary.gpu_hours[0].second, 220 / 3600.0);
    EXPECT_EQ(gpu_seconds(summary.ledger.total()), 640);  // the ledger is the whole log's
}

TEST(Metrics, UnfinishedJobsEnterMeansWithTheirTimeSoFarAndRejectedOnesAreCounted) {
    Metrics metrics;
    metrics.record(header());
    metrics.record(submit(0, 0, 100, 100, Seconds{30}));
    metrics.record(submit(1, 10, 100, 100, Seconds{1000}));
    metrics.record(RejectRecord{.time = at(10), .job = job(1), .reason = "too wide"});
    metrics.record(submit(2, 20, 100, 100));
    metrics.record(FinishRecord{.time = at(60), .job = job(2), .cancelled = true});
    metrics.record(EndRecord{.time = at(200)});
    const Summary summary = metrics.summary();
    EXPECT_EQ(summary.jobs_unfinished, 1U);
    EXPECT_EQ(summary.jobs_rejected, 1U);
    EXPECT_EQ(summary.jobs_cancelled, 1U);
    EXPECT_DOUBLE_EQ(*summary.avg_jct_s, 200);
    EXPECT_DOUBLE_EQ(*summary.deadline_miss_fraction, 1);
    EXPECT_FALSE(metrics.row(0).jct_s);
    EXPECT_STREQ(to_string(metrics.row(0).state), "waiting");
    EXPECT_STREQ(to_string(metrics.row(1).state), "rejected");
    EXPECT_STREQ(to_string(metrics.row(2).state), "cancelled");
}

TEST(Metrics, FiguresWithoutAnyValueAreEmpty) {
    Metrics metrics;
    metrics.record(header());
    metrics.record(EndRecord{.time = at(0)});
    const Summary summary = metrics.summary();
    EXPECT_FALSE(summary.avg_jct_s);
    EXPECT_FALSE(summary.makespan_s);
    EXPECT_FALSE(summary.utilization);
    EXPECT_FALSE(summary.deadline_miss_fraction);
    EXPECT_EQ(summary.cost_usd, 0);
}

TEST(Metrics, CostIsUnknownOnceATypeWithoutPriceWasUsed) {
    Metrics metrics;
    metrics.record(header());
    metrics.record(submit(0, 0, 100, 100));
    metrics.record(LaunchRecord{.time = at(0), .job = job(0), .grants = {{.type = GpuTypeId(std::size_t{1}), .gpus = 2}}});
    metrics.record(FinishRecord{.time = at(100), .job = job(0)});
    metrics.record(EndRecord{.time = at(100)});
    EXPECT_FALSE(metrics.summary().cost_usd);
    EXPECT_FALSE(metrics.row(0).cost_usd);
}

// 60 s of work since the launch, 15 of them lost: a quarter of the 2 x 60 GPU-seconds, of the communication too.
TEST(Metrics, LostWorkTakesItsShareOfUsefulAndCommunicationTime) {
    Metrics metrics;
    metrics.record(header());
    metrics.record(submit(0, 0, 100, 100));
    metrics.record(LaunchRecord{.time = at(0), .job = job(0), .grants = kBothA});
    metrics.record(RunRecord{.time = at(0), .job = job(0), .work_per_s = 1, .communication_fraction = 0.1});
    metrics.record(StopRecord{.time = at(60), .job = job(0), .reason = StopReason::kCapacityLost, .work_done = 45, .work_lost = 15});
    metrics.record(EndRecord{.time = at(60)});
    const Summary summary = metrics.summary();
    EXPECT_EQ(gpu_seconds(summary.ledger[LedgerBin::kLostWork]), 30);
    EXPECT_EQ(gpu_seconds(summary.ledger[LedgerBin::kCommunication]), 9);
    EXPECT_EQ(gpu_seconds(summary.ledger[LedgerBin::kUseful]), 81);
    EXPECT_EQ(summary.evictions, 1U);
}

TEST(TeeSink, HandsEveryRecordToEverySink) {
    Metrics one;
    Metrics other({.first = 1, .last = 2});
    TeeSink both({&one, &other});
    play(both);
    EXPECT_EQ(one.summary().jobs_total, 2U);
    EXPECT_EQ(other.summary().avg_jct_s, 140);
}

}  // namespace
}  // namespace medley
