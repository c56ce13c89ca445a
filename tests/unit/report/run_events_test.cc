#include "executor/report/run_events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/rng.h"
#include "io/results/event_log_writer.h"
#include "sched/metrics.h"
#include "sched/tee_sink.h"
#include "tests/support/log_checker.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/report/told_run.h"

namespace medley::executor {
namespace {

using testing::IsEmpty;

struct Told {
    std::string log;
    Summary summary;
};

/// The log as written to a file, and what the metrics make of it.
Told tell(const ToldRun& run, Step steps, const std::vector<Record>& earlier = {}) {
    const test::TemporaryFolder folder;
    const std::string file = (folder / "events.jsonl").string();
    Metrics metrics;
    {
        io::OutputFile output(file);
        io::EventLogWriter writer(output);
        TeeSink tee({&metrics, &writer});
        send_events({.job_id = "told", .model = Name("mlp"), .steps = steps}, make_history(earlier, run.records()), tee);
        output.commit();
    }
    return {.log = test::contents(file), .summary = metrics.summary()};
}

ToldRun run_with_everything() {
    ToldRun run;
    run.at(1).forms(1, {1, 2}, placement({"V100", "P100"}), 0).at(2).joined(0).at(3).step(1, 1).at(4).step(2, 1);
    run.at(5).lost(2, 2, "signal 9").rests(2).forms(2, {1}, placement({"V100"}), 2).at(6).joined(2).at(7).step(3, 1);
    run.at(8).rests(3).forms(3, {1, 3}, placement({"V100", "P100"}), 3).at(9).joined(3).at(10).step(4, 1);
    return run.at(11).finished(4, 1);
}

TEST(RunEvents, ALogOfARunIsCleanAndItsJobIsComplete) {
    const Told told = tell(run_with_everything(), 4);
    const test::LogReport report = test::check_log_text(told.log);
    EXPECT_THAT(report.violations, IsEmpty());
    EXPECT_EQ(report.jobs_completed, 1);
    EXPECT_EQ(told.summary.jobs_completed, 1);
    EXPECT_EQ(told.summary.resizes, 2) << "the loss and the replacement";
    EXPECT_EQ(told.summary.preemptions, 0);
    EXPECT_DOUBLE_EQ(told.summary.makespan_s.value(), 11);
    EXPECT_DOUBLE_EQ(told.summary.avg_queueing_s.value(), 1);
}

TEST(RunEvents, StepsSinceTheCheckpointAreLostWork) {
    ToldRun run;
    run.at(1).forms(1, {1}, placement({"V100"}), 0).at(2).joined(0).at(3).step(1, 1).at(4).step(2, 1).at(5).step(3, 1);
    run.at(6).lost(1, 3, "signal 9").rests(3).forms(2, {2}, placement({"V100"}), 1).at(7).joined(1);
    run.at(8).step(2, 1).at(9).step(3, 1).at(10).step(4, 1).at(11).finished(4, 1);
    const Told told = tell(run, 4);
    const test::LogReport report = test::check_log_text(told.log);
    EXPECT_THAT(report.violations, IsEmpty());
    EXPECT_GT(report.ledger_gpu_seconds.at("lost_work"), 0);
    EXPECT_EQ(told.summary.evictions, 1);
}

TEST(RunEvents, AResumedRunCountsWhatIsLeft) {
    ToldRun before;
    before.forms(1, {1}, placement({"V100"}), 0).joined(0).step(1, 1).step(2, 1);
    ToldRun run;
    run.at(1).forms(2, {2}, placement({"V100"}), 1).at(2).joined(1).at(3).step(2, 1).at(4).step(3, 1).at(5).step(4, 1).finished(4, 1);
    const Told told = tell(run, 4, before.untimed());
    EXPECT_THAT(test::check_log_text(told.log).violations, IsEmpty());
    EXPECT_EQ(told.summary.jobs_completed, 1);
}

TEST(RunEvents, WorkersTakenBackByANewCoordinatorGoOn) {
    ToldRun before;
    before.forms(1, {1}, placement({"V100"}), 0).joined(0).step(1, 1).step(2, 1);
    ToldRun after;
    after.at(1).say(SteppedRecord{.worker = 1, .stepped = {.generation = 1, .step = 3, .loss = 1}});
    after.at(2).say(SteppedRecord{.worker = 1, .stepped = {.generation = 1, .step = 4, .loss = 1}}).finished(4, 1);
    const Told told = tell(after, 4, before.untimed());
    EXPECT_THAT(test::check_log_text(told.log).violations, IsEmpty());
    EXPECT_EQ(told.summary.jobs_completed, 1);
    EXPECT_EQ(told.summary.evictions, 0);
}

TEST(RunEvents, ARunThatWasStoppedIsCancelledAndOneThatNeverBeganIsThere) {
    ToldRun cut;
    cut.at(1)
        .forms(1, {1}, placement({"V100"}), 0)
        .at(2)
        .joined(0)
        .at(3)
        .step(1, 1)
        .at(4)
        .say(StoppedByUserRecord{.step = 1, .reason = "x"});
    const Told told = tell(cut, 4);
    EXPECT_THAT(test::check_log_text(told.log).violations, IsEmpty());
    EXPECT_EQ(told.summary.jobs_cancelled, 1);
    const Told empty = tell(ToldRun(), 4);
    EXPECT_THAT(test::check_log_text(empty.log).violations, IsEmpty());
    EXPECT_EQ(empty.summary.jobs_total, 1);
}

/// Generations of any members, with steps, losses, rollbacks and steps that nobody reported.
ToldRun random_run(Rng& rng, Step& steps) {
    ToldRun run;
    double seconds = 0;
    Step step = 0;
    const auto later = [&] { return seconds += rng.uniform() * (rng.chance(0.2) ? 0 : 1); };
    for (Generation generation = 1; generation <= 6; ++generation) {
        std::vector<WorkerNumber> members;
        std::vector<std::string> types;
        for (std::int64_t count = rng.between(1, 3); count > 0; --count) {
            members.push_back(static_cast<WorkerNumber>(generation * 10 + static_cast<Generation>(count)));
            types.push_back(rng.chance(0.5) ? "V100" : "P100");
        }
        if (rng.chance(0.2)) { step = rng.between(0, step); }
        if (rng.chance(0.2)) { ++step; }
        run.at(later()).forms(generation, members, placement(types), step);
        if (rng.chance(0.1)) { continue; }
        run.at(later()).joined(step);
        for (std::int64_t count = rng.between(0, 4); count > 0; --count) { run.at(later()).step(++step, 1, rng.uniform()); }
        if (rng.chance(0.5)) { run.at(later()).lost(members.front(), step, "lost"); }
        if (rng.chance(0.5)) { run.rests(step); }
    }
    steps = step + 1;
    run.at(later()).forms(7, {99}, placement({"V100"}), step).at(later()).joined(step).at(later()).step(step + 1, 1);
    return run.at(later()).finished(step + 1, 1);
}

TEST(RunEvents, EveryRunGivesACleanLog) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Rng rng(seed);
        Step steps = 0;
        const ToldRun run = random_run(rng, steps);
        const test::LogReport report = test::check_log_text(tell(run, steps).log);
        EXPECT_THAT(report.violations, IsEmpty()) << "seed " << seed;
        EXPECT_EQ(report.jobs_completed, 1) << "seed " << seed;
    }
}

}  // namespace
}  // namespace medley::executor
