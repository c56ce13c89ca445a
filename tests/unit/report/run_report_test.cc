#include "executor/report/run_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/report/told_run.h"

namespace medley::executor {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;
using testing::SizeIs;

RunReport report_of(const ToldRun& run, const std::vector<Record>& earlier = {}) {
    return make_report(setup_of_two(), make_history(earlier, run.records()));
}

/// Four steps of two workers, 100 ms each.
ToldRun plain_run() {
    ToldRun run;
    run.at(0).say(TargetRecord{.placement = placement({"V100", "P100"})});
    run.at(1).say(ReadyRecord{.worker = 1, .process = 11, .host = "h", .device_name = "a V100"});
    run.forms(1, {1, 2}, placement({"V100", "P100"}), 0);
    run.at(2).joined(0);
    for (Step step = 1; step <= 4; ++step) { run.at(2 + 0.1 * static_cast<double>(step)).step(step, 1.0 / static_cast<double>(step)); }
    return run.at(3).finished(4, 0.25);
}

TEST(RunReport, APlainRunHasItsLossesRatesAndWorkers) {
    const RunReport report = report_of(plain_run());
    EXPECT_TRUE(report.finished);
    EXPECT_EQ(report.steps, 4);
    EXPECT_EQ(report.state_digest, "d1");
    EXPECT_THAT(report.final_loss, Optional(0.25));
    EXPECT_THAT(report.losses, ElementsAre(Optional(1.0), Optional(0.5), Optional(1.0 / 3), Optional(0.25)));
    EXPECT_EQ(report.global_batch, 8);
    EXPECT_NEAR(report.step_s.median, 0.1, 1e-9);
    EXPECT_EQ(report.step_s.count, 3) << "the first step of a membership has no step before it";
    EXPECT_NEAR(report.samples_per_s.value(), 80, 1e-6);
    EXPECT_NEAR(report.overall_samples_per_s.value(), 8 * 4 / 0.4, 1e-6);
    ASSERT_THAT(report.workers, SizeIs(2));
    EXPECT_EQ(report.workers[0].device_name, "a V100");
    EXPECT_THAT(report.workers[0].virtual_node_batches, ElementsAre(6));
    EXPECT_EQ(report.workers[1].gpu_type, "P100");
    EXPECT_THAT(report.resizes, IsEmpty());
    EXPECT_THAT(report.failures, IsEmpty());
    EXPECT_THAT(report.redone, IsEmpty());
}

TEST(RunReport, ComponentsAreTheSlowestsComputeAndTheLeastWait) {
    ToldRun run;
    run.forms(1, {1, 2}, placement({"V100", "P100"}), 0).at(1).joined(0);
    for (Step step = 1; step <= 3; ++step) { run.at(1 + static_cast<double>(step)).step(step, 1, 0.2); }
    const RunReport report = report_of(run);
    EXPECT_DOUBLE_EQ(report.components.compute_s, 0.4);
    EXPECT_DOUBLE_EQ(report.components.collective_s, 0.1);
    EXPECT_DOUBLE_EQ(report.components.update_s, 0.05);
    EXPECT_NEAR(report.step_s.median, 0.55, 1e-12) << "as the workers measured, not as the messages came in";
}

TEST(RunReport, OneSlowStepLeavesTheSteadyRateAlone) {
    ToldRun run;
    run.forms(1, {1}, placement({"V100"}), 0).at(1).joined(0);
    double seconds = 1;
    for (Step step = 1; step <= 20; ++step) { run.at(seconds += step == 10 ? 50 : 0.1).step(step, 1); }
    const RunReport report = report_of(run);
    EXPECT_NEAR(report.samples_per_s.value(), 80, 1);
    EXPECT_LT(report.overall_samples_per_s.value(), 4);
}

TEST(RunReport, AResizeHasItsPauseFromTheLastStepToTheJoining) {
    ToldRun run = plain_run();
    run.at(4).say(TargetRecord{.placement = placement({"V100"})}).rests(4).released(2, 4);
    run.at(4.5).forms(2, {1}, placement({"V100"}), 4).at(5).joined(4).at(6).step(5, 0.2);
    const RunReport report = report_of(run);
    ASSERT_THAT(report.resizes, SizeIs(1));
    EXPECT_EQ(report.resizes[0].step, 4);
    EXPECT_EQ(report.resizes[0].from, "V100=1,P100=1");
    EXPECT_EQ(report.resizes[0].to, "V100=1");
    EXPECT_TRUE(report.resizes[0].asked);
    EXPECT_NEAR(report.resizes[0].pause_s.value(), 5 - 2.4, 1e-9);
    EXPECT_THAT(report.failures, IsEmpty());
}

TEST(RunReport, AFailureIsNoResizeAndAReplacementIsOneThatNobodyAskedFor) {
    ToldRun run;
    run.forms(1, {1, 2}, placement({"V100", "P100"}), 0).at(1).joined(0).at(1.5).step(1, 1);
    run.at(2).lost(2, 1, "signal 9").rests(1);
    run.at(2.2).forms(2, {1}, placement({"V100"}), 1).at(2.3).joined(1).at(2.5).step(2, 0.9);
    run.at(3).rests(2).forms(3, {1, 3}, placement({"V100", "P100"}), 2).at(3.5).joined(2).at(4).step(3, 0.8);
    const RunReport report = report_of(run);
    ASSERT_THAT(report.failures, SizeIs(1));
    EXPECT_THAT(report.failures[0].rank, Optional(1U));
    EXPECT_EQ(report.failures[0].step, 1);
    EXPECT_EQ(report.failures[0].reason, "signal 9");
    EXPECT_NEAR(report.failures[0].recovered_s.value(), 0.3, 1e-9);
    ASSERT_THAT(report.resizes, SizeIs(1));
    EXPECT_FALSE(report.resizes[0].asked);
    EXPECT_EQ(report.resizes[0].to, "V100=1,P100=1");
    EXPECT_THAT(report.redone, IsEmpty());
}

// The second worker is the slower one; it speaks of every other step only.
TEST(RunReport, ComponentsAreOfTheStepsThatAllMembersSpokeOf) {
    ToldRun all;
    all.forms(1, {1, 2}, placement({"V100", "P100"}), 0).at(1).joined(0);
    for (Step step = 1; step <= 5; ++step) { all.step(step, 1, 0.2); }
    std::vector<TimedRecord> some;
    for (const TimedRecord& timed : all.records()) {
        const auto* stepped = std::get_if<SteppedRecord>(&timed.record);
        if (stepped == nullptr || stepped->worker == 1 || stepped->stepped.step % 2 == 0) { some.push_back(timed); }
    }
    const RunReport report = make_report(setup_of_two(), make_history({}, some));
    EXPECT_DOUBLE_EQ(report.components.compute_s, 0.4);
    EXPECT_DOUBLE_EQ(report.components.collective_s, 0.1);
    EXPECT_EQ(report.step_s.count, 4) << "its length any member can tell";
    EXPECT_EQ(report.steps, 5);
}

TEST(RunReport, AWorkerLostBeforeItJoinedHasNoRank) {
    ToldRun run = plain_run();
    run.lost(7, 4, "exit status 1");
    const RunReport report = report_of(run);
    ASSERT_THAT(report.failures, SizeIs(1));
    EXPECT_EQ(report.failures[0].rank, std::nullopt);
    EXPECT_EQ(report.failures[0].recovered_s, std::nullopt);
}

TEST(RunReport, AResumeFromACheckpointSaysWhichStepsAreDoneAgain) {
    const std::vector<Record> earlier = plain_run().untimed();
    ToldRun run;
    run.at(1).forms(2, {5}, placement({"V100"}), 2).at(2).joined(2).at(3).step(3, 0.3).at(4).step(4, 0.25).at(5).finished(4, 0.25);
    const RunReport report = report_of(run, earlier);
    ASSERT_THAT(report.redone, SizeIs(1));
    EXPECT_EQ(report.redone[0].first, 3);
    EXPECT_EQ(report.redone[0].last, 4);
    EXPECT_THAT(report.losses, SizeIs(4));
    EXPECT_EQ(report.step_s.count, 1) << "steps of an earlier life have no times";
}

TEST(RunReport, WorkersThatTrainedOnAloneLeaveGapsInTheLosses) {
    ToldRun before;
    before.forms(1, {1}, placement({"V100"}), 0).joined(0).step(1, 1);
    std::vector<TimedRecord> records;
    records.push_back({.record = SteppedRecord{.worker = 1, .stepped = {.generation = 1, .step = 4, .loss = 0.4}}, .seconds = 1});
    records.push_back({.record = SteppedRecord{.worker = 1, .stepped = {.generation = 1, .step = 5, .loss = 0.3}}, .seconds = 2});
    const RunReport report = make_report(setup_of_two(), make_history(before.untimed(), records));
    EXPECT_THAT(report.losses, ElementsAre(Optional(1.0), std::nullopt, std::nullopt, Optional(0.4), Optional(0.3)));
    EXPECT_EQ(report.steps, 5);
    EXPECT_THAT(report.redone, IsEmpty());
}

TEST(RunReport, DevicesAreCountedByTypeElseByDevice) {
    EXPECT_EQ(device_counts(placement({"V100", "P100", "V100"})), "V100=2,P100=1");
    EXPECT_EQ(device_counts(placement({"", ""})), "emulated=2");
}

}  // namespace
}  // namespace medley::executor
