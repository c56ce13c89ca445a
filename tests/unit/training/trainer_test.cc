#include "executor/training/trainer.h"

#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "core/error.h"
#include "executor/engines/emulated/emulated_numbers.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/worker_threads.h"

namespace medley::executor {
namespace {

using test::by_count;
using test::PlannedFault;
using test::WorkerThreads;

class Training : public testing::Test {
 protected:
    RunSetup setup(Step steps = 12) const {
        return {.job = {.name = "emulated",
                        .model = EmulatedModel{.parameters = 50},
                        .data = SyntheticData{.samples = 37},
                        .steps = steps,
                        .seed = 3},
                .virtual_nodes = {2, 2, 1, 3, 2, 2, 1, 3},
                .directory = folder_.path().string()};
    }

    static std::string expected_digest(const RunSetup& setup) {
        EmulatedState state = emulated_state_after(setup.job, setup.virtual_nodes, setup.job.steps);
        return state_digest(setup.job.steps, state.sections());
    }

    static void expect_finished(const std::vector<Stopped>& stopped, const RunSetup& setup) {
        for (const Stopped& one : stopped) {
            EXPECT_EQ(one.cause, StopCause::kFinished) << one.detail;
            EXPECT_EQ(one.step, setup.job.steps);
            EXPECT_EQ(one.digest, expected_digest(setup));
            EXPECT_DOUBLE_EQ(one.final_loss, emulated_loss_at(setup.job, setup.virtual_nodes, setup.job.steps - 1));
        }
    }

    static void expect_stopped(const std::vector<Stopped>& stopped, StopCause cause, Step step) {
        for (const Stopped& one : stopped) {
            EXPECT_EQ(one.cause, cause) << one.detail;
            EXPECT_EQ(one.step, step);
        }
    }

    test::TemporaryFolder folder_;
};

TEST_F(Training, OnOneWorkerReachesTheStateThatTheFormulaForetells) {
    WorkerThreads workers(setup());
    expect_finished(workers.run({.members = {1}, .virtual_nodes = by_count({8})}), setup());
}

TEST_F(Training, OnSeveralWorkersReachesTheSameState) {
    for (const std::vector<int>& counts : {std::vector{4, 2, 2}, {1, 1, 6}, {5, 2, 1}, {1, 1, 1, 1, 1, 1, 1, 1}, {8, 0}}) {
        WorkerThreads workers(setup());
        std::vector<WorkerNumber> members;
        for (WorkerNumber worker = 0; worker < counts.size(); ++worker) { members.push_back(worker); }
        expect_finished(workers.run({.members = members, .virtual_nodes = by_count(counts)}), setup());
    }
}

TEST_F(Training, ReportsTheSameLossOfEachStepFromEveryWorker) {
    WorkerThreads workers(setup());
    workers.run({.members = {1, 2}, .virtual_nodes = by_count({3, 5})});
    ASSERT_EQ(workers.losses().size(), 12U);
    for (const auto& [step, losses] : workers.losses()) {
        ASSERT_EQ(losses.size(), 1U);
        EXPECT_DOUBLE_EQ(*losses.begin(), emulated_loss_at(setup().job, setup().virtual_nodes, step - 1));
    }
}

TEST_F(Training, PausesTogetherAndGoesOnWithOtherWorkers) {
    WorkerThreads workers(setup());
    expect_stopped(workers.run({.members = {1}, .virtual_nodes = by_count({8}), .pause_after = 3}), StopCause::kPaused, 3);
    expect_stopped(workers.run({.members = {2, 1, 3, 4}, .virtual_nodes = by_count({2, 2, 2, 2}), .pause_after = 7}), StopCause::kPaused,
                   7);
    for (const WorkerNumber worker : {1U, 2U, 3U, 4U}) { EXPECT_EQ(workers.trainer(worker).digest(), workers.trainer(1).digest()); }
    expect_finished(workers.run({.members = {4, 3}, .virtual_nodes = by_count({7, 1})}), setup());
}

TEST_F(Training, RequestedToPauseBeforeItBeginsStopsAfterOneStep) {
    WorkerThreads workers(setup());
    expect_stopped(workers.run({.members = {1, 2}, .virtual_nodes = by_count({4, 4}), .pause_after = 1}), StopCause::kPaused, 1);
}

TEST_F(Training, GoesOnFromTheHighestStepAfterALoss) {
    for (std::int64_t call = 0; call < 14; ++call) {
        for (const auto kind : {PlannedFault::Kind::kVanishes, PlannedFault::Kind::kLosesLast}) {
            WorkerThreads workers(setup());
            const auto stopped = workers.run({.members = {1, 2, 3}, .virtual_nodes = by_count({4, 2, 2}), .faults = {{call, 1, kind}}});
            for (const Stopped& one : stopped) { EXPECT_EQ(one.cause, StopCause::kBroken); }
            workers.drop(2);
            expect_finished(workers.run({.members = {1, 3}, .virtual_nodes = by_count({3, 5})}), setup());
        }
    }
}

TEST_F(Training, TakesBackAWorkerThatIsAStepBehind) {
    WorkerThreads workers(setup());
    // Two calls a step after the meeting's one: the worker misses the end of the fifth step, which the others have done.
    const auto stopped = workers.run({.members = {1, 2},
                                      .virtual_nodes = by_count({4, 4}),
                                      .faults = {{.call = 10, .rank = 0, .kind = PlannedFault::Kind::kLosesLast}}});
    EXPECT_EQ(stopped[0].step, 4);
    EXPECT_EQ(stopped[1].step, 5);
    expect_finished(workers.run({.members = {1, 2}, .virtual_nodes = by_count({4, 4})}), setup());
}

TEST_F(Training, EndsAtOnceIfAllIsDone) {
    WorkerThreads workers(setup());
    workers.run({.members = {1}, .virtual_nodes = by_count({8})});
    expect_finished(workers.run({.members = {1, 2}, .virtual_nodes = by_count({4, 4})}), setup());
}

TEST_F(Training, AbortedFromAnotherThreadIsBroken) {
    Trainer* running = nullptr;
    TrainerReports reports;
    reports.stepped = [&](const Stepped& stepped) {
        if (stepped.step == 2) {
            std::thread([&] { running->abort(5); }).join();
        }
    };
    const TrainerParts parts{.make_engine = make_engine, .connect = [](const std::string&, const CollectiveSetup& collective) {
                                 return test::connect_threads(collective);
                             }};
    Trainer trainer(setup(), {.device = "emulated"}, reports, parts);
    running = &trainer;
    const Form form{.generation = 5, .members = {1}, .placement = {{{.virtual_nodes = by_count({8})[0]}}}, .from_start = true};
    const Stopped stopped = trainer.run({.form = form});
    EXPECT_EQ(stopped.cause, StopCause::kBroken);
    EXPECT_EQ(stopped.step, 2);
    EXPECT_NE(stopped.detail.find("aborted"), std::string::npos);
    EXPECT_TRUE(trainer.holds_state());
}

TEST_F(Training, ThatCannotConnectIsBroken) {
    const TrainerParts parts{.make_engine = make_engine, .connect = [](const std::string&, const CollectiveSetup&) -> CollectiveMade {
                                 return tl::unexpected(CollectiveFailure{CollectiveFailure::Kind::kDeadline, "nobody came"});
                             }};
    Trainer trainer(setup(), {.device = "emulated"}, {}, parts);
    const Stopped stopped = trainer.run({.form = {.generation = 1, .members = {1, 2}, .from_start = true}});
    EXPECT_EQ(stopped.cause, StopCause::kBroken);
    EXPECT_EQ(stopped.detail, "nobody came");
    EXPECT_FALSE(trainer.holds_state());
}

TEST_F(Training, WritesCheckpointsEverySoManyStepsAndAtTheEnd) {
    RunSetup with_checkpoints = setup();
    with_checkpoints.job.checkpoint = {.every_steps = 5, .keep = 10};
    WorkerThreads workers(with_checkpoints);
    workers.run({.members = {1, 2}, .virtual_nodes = by_count({4, 4})});
    std::set<Step> steps;
    for (const Checkpointed& one : workers.checkpoints()) {
        // The emulated steps are so short that the one at 10 may find the one at 5 still being written.
        EXPECT_TRUE(one.error.empty() || one.error.starts_with("left out")) << one.error;
        EXPECT_TRUE(steps.insert(one.step).second);
    }
    EXPECT_EQ(steps, (std::set<Step>{5, 10, 12}));
    const NewestCheckpoint newest = find_checkpoint(folder_.path(), fingerprint(with_checkpoints));
    EXPECT_EQ(newest.step, 12);
}

TEST_F(Training, GoesOnFromACheckpointAsIfNothingHadHappened) {
    RunSetup with_checkpoints = setup();
    with_checkpoints.job.checkpoint = {.every_steps = 5, .keep = 10};
    {
        WorkerThreads workers(with_checkpoints);
        workers.run({.members = {1, 2}, .virtual_nodes = by_count({4, 4})});
    }
    WorkerThreads others(with_checkpoints);
    const std::string file = checkpoint_path(folder_.path(), 5).string();
    expect_finished(others.run({.members = {7, 8, 9}, .virtual_nodes = by_count({1, 6, 1}), .checkpoint = file}), with_checkpoints);
    EXPECT_FALSE(others.losses().contains(5));
    EXPECT_TRUE(others.losses().contains(6));
}

TEST_F(Training, GoesOnWhenACheckpointCannotBeWritten) {
    RunSetup nowhere = setup();
    nowhere.job.checkpoint = {.every_steps = 4};
    nowhere.directory = (folder_ / "nowhere").string();
    WorkerThreads workers(nowhere);
    expect_finished(workers.run({.members = {1}, .virtual_nodes = by_count({8})}), nowhere);
    ASSERT_FALSE(workers.checkpoints().empty());
    for (const Checkpointed& one : workers.checkpoints()) { EXPECT_NE(one.error, ""); }
    EXPECT_EQ(workers.checkpoints().back().step, 12);
}

TEST_F(Training, SavesACheckpointWhenAsked) {
    WorkerThreads workers(setup());
    workers.run({.members = {1}, .virtual_nodes = by_count({8}), .pause_after = 6});
    const Checkpointed saved = workers.trainer(1).save_checkpoint();
    EXPECT_EQ(saved.error, "");
    EXPECT_EQ(read_checkpoint(saved.file, fingerprint(setup())).step, 6);
}

TEST_F(Training, RefusesACheckpointThatIsDamaged) {
    const std::string file = (folder_ / "step-5.ckpt").string();
    std::ofstream(file) << "MEDLEYCK and nothing else";
    Trainer trainer(setup(), {.device = "emulated"}, {});
    const Form form{.generation = 1, .members = {1}, .placement = {{{.virtual_nodes = by_count({8})[0]}}}, .step = 5, .checkpoint = file};
    EXPECT_THROW(trainer.run({.form = form}), Error);
}

}  // namespace
}  // namespace medley::executor
