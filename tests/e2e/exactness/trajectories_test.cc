/// Without --exact the mapping changes rounding and nothing else; after each change of members all hold the same bits.

#include <gtest/gtest.h>

#include "tests/support/locked_engine.h"
#include "tests/support/trained_models.h"

namespace medley::test {
namespace {

using namespace executor;

std::vector<double> losses_of(const WorkerThreads& workers) {
    std::vector<double> losses;
    for (const auto& [step, values] : workers.losses()) {
        EXPECT_EQ(values.size(), 1U) << "step " << step;  // one value on all workers
        losses.push_back(*values.begin());
    }
    return losses;
}

// Chance is that of each virtual node, so dropout is the same as well.
TEST(PlainSums, GiveTheSameTrajectoryButForRounding) {
    for (const TrainedModel& model : trained_models()) {
        const RunSetup setup = setup_of(model, kUnequalNodes, false);
        WorkerThreads alone(setup, one_at_a_time());
        alone.run({.members = {0}, .virtual_nodes = by_count({8})});
        WorkerThreads changing(setup, one_at_a_time());
        changing.run({.members = {0}, .virtual_nodes = by_count({8}), .pause_after = 10});
        changing.run({.members = {0, 1, 2}, .virtual_nodes = by_count({1, 6, 1}), .pause_after = 30});
        changing.run({.members = {1, 2}, .virtual_nodes = by_count({3, 5})});
        const std::vector<double> expected = losses_of(alone);
        const std::vector<double> losses = losses_of(changing);
        ASSERT_EQ(losses.size(), static_cast<std::size_t>(kTrainedSteps));
        ASSERT_EQ(expected.size(), losses.size());
        for (std::size_t step = 0; step < losses.size(); ++step) {
            EXPECT_NEAR(losses[step], expected[step], 1e-5 * std::max(1.0, expected[step])) << model.name << " after " << step + 1;
        }
    }
}

TEST(Trajectories, Fall) {
    for (const TrainedModel& model : trained_models()) {
        WorkerThreads workers(setup_of(model, kEqualNodes, true), one_at_a_time());
        workers.run({.members = {0, 1}, .virtual_nodes = by_count({5, 3})});
        const std::vector<double> losses = losses_of(workers);
        double early = 0;
        double late = 0;
        for (std::size_t step = 0; step < 10; ++step) {
            early += losses[step];
            late += losses[losses.size() - 1 - step];
        }
        EXPECT_LT(late, 0.9 * early) << model.name;
    }
}

TEST(Members, HoldTheSameBitsAfterEveryChange) {
    for (const TrainedModel& model : trained_models()) {
        for (const bool exact : {false, true}) {
            WorkerThreads workers(setup_of(model, kEqualNodes, exact), one_at_a_time());
            const auto expect_same = [&](const std::vector<WorkerNumber>& members) {
                for (const WorkerNumber worker : members) {
                    EXPECT_EQ(workers.trainer(worker).digest(), workers.trainer(members[0]).digest())
                        << model.name << ", worker " << worker;
                    EXPECT_EQ(workers.trainer(worker).step(), workers.trainer(members[0]).step());
                }
            };
            workers.run({.members = {0}, .virtual_nodes = by_count({8}), .pause_after = 4});
            workers.run({.members = {0, 1, 2, 3}, .virtual_nodes = by_count({2, 2, 2, 2}), .pause_after = 8});
            expect_same({0, 1, 2, 3});
            workers.run({.members = {3, 1}, .virtual_nodes = by_count({3, 5}), .pause_after = 12});
            expect_same({3, 1});
            workers.run({.members = {0, 1, 4, 2}, .virtual_nodes = by_count({1, 1, 1, 5}), .pause_after = 16});
            expect_same({0, 1, 4, 2});
        }
    }
}

}  // namespace
}  // namespace medley::test
