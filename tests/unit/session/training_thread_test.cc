#include "executor/session/training_thread.h"

#include <gmock/gmock.h>

namespace medley::executor {
namespace {

/// What the training thread tells, for the control side to wait for.
class Told {
 public:
    void operator()(WorkerInput input) {
        const std::lock_guard lock(mutex_);
        inputs_.push_back(std::move(input));
        changed_.notify_all();
    }
    template <class Kind>
    Kind wait_for() {
        std::unique_lock lock(mutex_);
        for (;;) {
            for (const WorkerInput& input : inputs_) {
                if (const auto* found = std::get_if<Kind>(&input)) { return *found; }
            }
            changed_.wait(lock);
        }
    }

 private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<WorkerInput> inputs_;
};

BuildEngine emulated(std::int64_t steps) {
    BuildEngine build;
    build.setup.job.model = EmulatedModel{.seconds_per_sample = 0.0005, .parameters = 8};
    build.setup.job.steps = steps;
    build.setup.virtual_nodes = {1, 1};
    build.setup.directory = testing::TempDir();
    build.place = {.device = "emulated", .virtual_nodes = {0, 1}};
    return build;
}

StartGeneration generation_of(std::vector<WorkerNumber> members, Generation number = 1) {
    StartGeneration start;
    start.form = {.generation = number, .members = members, .placement = {{emulated(1).place}}, .from_start = true};
    if (members.size() > 1) {
        start.form.placement.places = {emulated(1).place, emulated(1).place};
        start.form.placement.places[0].virtual_nodes = {0};
        start.form.placement.places[1].virtual_nodes = {1};
    }
    return start;
}

class TrainingThreadTest : public testing::Test {
 protected:
    Told told_;
    TrainingThread thread_{"127.0.0.1", [this](WorkerInput input) { told_(std::move(input)); }};
};

TEST_F(TrainingThreadTest, BuildsTheEngineAndTrainsToTheEnd) {
    thread_.build(emulated(3));
    EXPECT_GE(told_.wait_for<EngineBuilt>().state_bytes, 8 * 8);
    thread_.start(generation_of({7}));
    EXPECT_EQ(told_.wait_for<TrainerJoined>().step, 0);
    EXPECT_EQ(told_.wait_for<TrainerStepped>().stepped.step, 1);
    const Stopped stopped = told_.wait_for<TrainerStopped>().stopped;
    EXPECT_EQ(stopped.cause, StopCause::kFinished);
    EXPECT_EQ(stopped.step, 3);
}

TEST_F(TrainingThreadTest, AnEngineThatCannotBeBuiltIsTold) {
    BuildEngine impossible = emulated(1);
    impossible.setup.job.data = ArrayData{.inputs = "none.npy", .targets = ""};
    thread_.build(impossible);
    EXPECT_NE(told_.wait_for<EngineFailed>().reason, "");
}

TEST_F(TrainingThreadTest, APauseThatComesBeforeTheGenerationHasBegunCounts) {
    thread_.build(emulated(1000000));
    told_.wait_for<EngineBuilt>();
    thread_.start(generation_of({7}));
    thread_.pause(1);
    EXPECT_EQ(told_.wait_for<TrainerStopped>().stopped.cause, StopCause::kPaused);
}

TEST_F(TrainingThreadTest, AnAbortEndsTheWaitForTheOthersBlobs) {
    thread_.build(emulated(10));
    thread_.start(generation_of({7, 8}));
    EXPECT_EQ(told_.wait_for<TrainerOffers>().round, 0U);
    thread_.abort(1);
    EXPECT_EQ(told_.wait_for<TrainerStopped>().stopped.cause, StopCause::kBroken);
}

TEST_F(TrainingThreadTest, EndsInTheMiddleOfAGeneration) {
    thread_.build(emulated(1000000));
    thread_.start(generation_of({7, 8}));
    told_.wait_for<TrainerOffers>();
    EXPECT_TRUE(thread_.finish(std::chrono::seconds(60)));
}

TEST(PlaceHere, TheOnlyVisibleGpuIsTheFirst) {
    EXPECT_EQ(place_here({.device = "cuda:3"}, "3").device, "cuda:0");
    EXPECT_EQ(place_here({.device = "cuda:3"}, "0,1,2,3").device, "cuda:3");
    EXPECT_EQ(place_here({.device = "cuda:3"}, nullptr).device, "cuda:3");
    EXPECT_EQ(place_here({.device = "cpu"}, "").device, "cpu");
}

}  // namespace
}  // namespace medley::executor
