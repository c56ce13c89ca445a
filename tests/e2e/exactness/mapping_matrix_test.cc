/// With --exact, one list of virtual nodes gives one state, bit for bit, however the nodes lie on workers and whatever happens to these.

#include <cstdlib>

#include <gtest/gtest.h>

#include "core/rng.h"
#include "tests/support/locked_engine.h"
#include "tests/support/trained_models.h"

namespace medley::test {
namespace {

using namespace executor;

std::uint64_t losses_tried() { return std::getenv("MEDLEY_LONG") != nullptr ? 20 : 2; }

struct Case {
    TrainedModel model;
    std::vector<std::int64_t> virtual_nodes;
    std::string name;
};

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const TrainedModel& model : trained_models()) {
        all.push_back({model, kEqualNodes, model.name + "_equal"});
        all.push_back({model, kUnequalNodes, model.name + "_unequal"});
    }
    return all;
}

std::vector<WorkerNumber> first_workers(std::size_t count) {
    std::vector<WorkerNumber> workers;
    for (WorkerNumber worker = 0; worker < count; ++worker) { workers.push_back(worker); }
    return workers;
}

class MappingMatrix : public testing::TestWithParam<Case> {
 protected:
    static void SetUpTestSuite() { digests().clear(); }

    RunSetup setup() const { return setup_of(GetParam().model, GetParam().virtual_nodes, true); }

    static void expect_finished(const std::vector<Stopped>& stopped, const std::string& digest) {
        for (const Stopped& one : stopped) {
            EXPECT_EQ(one.cause, StopCause::kFinished) << one.detail;
            EXPECT_EQ(one.digest, digest);
        }
    }

    // Of one worker left in peace; computed once for each case.
    std::string expected() const {
        std::string& digest = digests()[GetParam().name];
        if (digest.empty()) {
            WorkerThreads workers(setup(), one_at_a_time());
            const auto stopped = workers.run({.members = {0}, .virtual_nodes = by_count({8})});
            EXPECT_EQ(stopped[0].cause, StopCause::kFinished) << stopped[0].detail;
            digest = stopped[0].digest;
        }
        return digest;
    }

 private:
    static std::map<std::string, std::string>& digests() {
        static std::map<std::string, std::string> known;
        return known;
    }
};

TEST_P(MappingMatrix, HasOneStateForEverySplit) {
    for (const std::vector<int>& counts : {std::vector{4, 2, 2}, {1, 1, 6}, {5, 2, 1}, {1, 1, 1, 1, 1, 1, 1, 1}}) {
        WorkerThreads workers(setup(), one_at_a_time());
        expect_finished(workers.run({.members = first_workers(counts.size()), .virtual_nodes = by_count(counts)}), expected());
    }
}

TEST_P(MappingMatrix, HasTheSameStateWhenWorkersAreGivenTheNodesInAnyOrder) {
    WorkerThreads workers(setup(), one_at_a_time());
    expect_finished(workers.run({.members = {0, 1, 2}, .virtual_nodes = {{7, 0, 3}, {5}, {6, 4, 2, 1}}}), expected());
}

TEST_P(MappingMatrix, HasTheSameStateWhenGrownToFourAndShrunkToTwoInMidRun) {
    WorkerThreads workers(setup(), one_at_a_time());
    workers.run({.members = {0}, .virtual_nodes = by_count({8}), .pause_after = 13});
    workers.run({.members = {0, 1, 2, 3}, .virtual_nodes = by_count({1, 3, 2, 2}), .pause_after = 31});
    expect_finished(workers.run({.members = {2, 0}, .virtual_nodes = by_count({6, 2})}), expected());
}

// Three calls to the collective a step: any of them may be the one that fails, on all or on one.
TEST_P(MappingMatrix, HasTheSameStateWhenAWorkerIsLostAtAnyStep) {
    Rng rng = Rng(1).fork(GetParam().name);
    for (std::uint64_t tried = 0; tried < losses_tried(); ++tried) {
        WorkerThreads workers(setup(), one_at_a_time());
        const PlannedFault fault{.call = rng.between(0, 3 * kTrainedSteps),
                                 .rank = static_cast<int>(rng.below(3)),
                                 .kind = rng.chance(0.5) ? PlannedFault::Kind::kVanishes : PlannedFault::Kind::kLosesLast};
        workers.run({.members = {0, 1, 2}, .virtual_nodes = by_count({4, 2, 2}), .faults = {fault}});
        workers.drop(static_cast<WorkerNumber>(fault.rank));
        const auto other = [&](int step) { return static_cast<WorkerNumber>((fault.rank + step) % 3); };
        expect_finished(workers.run({.members = {other(1), other(2)}, .virtual_nodes = by_count({3, 5})}), expected());
    }
}

INSTANTIATE_TEST_SUITE_P(Models, MappingMatrix, testing::ValuesIn(cases()), [](const auto& tested) { return tested.param.name; });

TEST(Control, WithoutExactTheStateDependsOnTheMapping) {
    for (const TrainedModel& model : trained_models()) {
        const RunSetup setup = setup_of(model, kEqualNodes, false);
        WorkerThreads alone(setup, one_at_a_time());
        WorkerThreads three(setup, one_at_a_time());
        EXPECT_NE(alone.run({.members = {0}, .virtual_nodes = by_count({8})})[0].digest,
                  three.run({.members = {0, 1, 2}, .virtual_nodes = by_count({5, 2, 1})})[0].digest)
            << model.name;
    }
}

TEST(Control, AnotherListOfVirtualNodesIsAnotherResult) {
    const TrainedModel model = trained_models()[0];
    WorkerThreads equal(setup_of(model, kEqualNodes, true), one_at_a_time());
    WorkerThreads unequal(setup_of(model, kUnequalNodes, true), one_at_a_time());
    const GenerationOrder order{.members = {0}, .virtual_nodes = by_count({8})};
    EXPECT_NE(equal.run(order)[0].digest, unequal.run(order)[0].digest);
}

}  // namespace
}  // namespace medley::test
