/// Runs under random schedules: workers come, go, fall out in the middle of any communication or miss its end, pauses, restarts from
/// checkpoints. Whatever happens, the state at the end is that of one worker left in peace.

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "core/rng.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/toy_engine.h"
#include "tests/support/worker_threads.h"

namespace medley::executor {
namespace {

using test::GenerationOrder;
using test::PlannedFault;
using test::WorkerThreads;

constexpr Step kSteps = 15;

std::uint64_t seeds() { return std::getenv("MEDLEY_LONG") != nullptr ? 10'000 : 40; }

enum class Arithmetic { kEmulated, kExact, kPlain };

RunSetup random_setup(Rng& rng, Arithmetic arithmetic, const std::string& directory) {
    RunSetup setup{.job = {.data = SyntheticData{.samples = rng.between(5, 60)}, .steps = kSteps, .seed = rng.next()},
                   .exact = arithmetic != Arithmetic::kPlain,
                   .directory = directory};
    if (arithmetic == Arithmetic::kEmulated) { setup.job.model = EmulatedModel{.parameters = 20}; }
    setup.job.checkpoint = {.every_steps = rng.between(0, 4), .keep = 3};
    setup.virtual_nodes.resize(static_cast<std::size_t>(rng.between(1, 8)));
    for (std::int64_t& size : setup.virtual_nodes) { size = rng.between(1, 5); }
    return setup;
}

// Gradients jump now and then, so that scales must follow and steps are redone.
test::MakeEngine engines_of(Arithmetic arithmetic, Rng rng) {
    if (arithmetic == Arithmetic::kEmulated) { return make_engine; }
    const std::uint64_t jumps = rng.next();
    return [jumps](const EngineSetup& engine) {
        return test::make_toy_engine(engine, {.factor = [jumps](std::int64_t step, std::uint32_t) {
                                         return Rng(jumps + static_cast<std::uint64_t>(step)).chance(0.2) ? 1e5F : 1.0F;
                                     }});
    };
}

std::vector<std::vector<VirtualNode>> random_mapping(std::size_t workers, std::size_t nodes, Rng& rng) {
    std::vector<std::vector<VirtualNode>> mapping(workers);
    std::vector<VirtualNode> order(nodes);
    for (VirtualNode node = 0; node < nodes; ++node) { order[node] = node; }
    rng.shuffle(std::span<VirtualNode>(order));
    for (const VirtualNode node : order) { mapping[rng.below(workers)].push_back(node); }
    return mapping;
}

class RandomRun {
 public:
    RandomRun(const RunSetup& setup, Arithmetic arithmetic, Rng rng)
        : setup_(setup), rng_(rng), workers_(setup, engines_of(arithmetic, rng.fork("jumps"))) {}

    // The digest at the end.
    std::string run() {
        alive_ = {0};
        for (next_ = 1; next_ < 100;) {
            const GenerationOrder order = random_order();
            const std::vector<Stopped> stopped = workers_.run(order);
            if (std::all_of(stopped.begin(), stopped.end(), [](const Stopped& one) { return one.cause == StopCause::kFinished; })) {
                for (const Stopped& one : stopped) { EXPECT_EQ(one.digest, stopped[0].digest); }
                return stopped[0].digest;
            }
            lose_workers(order);
        }
        return "never finished";
    }
    const std::map<Step, std::set<double>>& losses() const { return workers_.losses(); }

 private:
    GenerationOrder random_order() {
        while (alive_.size() < 5 && (alive_.empty() || rng_.chance(0.4))) { alive_.push_back(next_++); }
        rng_.shuffle(std::span<WorkerNumber>(alive_));
        GenerationOrder order{.members = alive_, .virtual_nodes = random_mapping(alive_.size(), setup_.virtual_nodes.size(), rng_)};
        const bool trouble = next_ < 60;  // in the end it must come to an end
        if (trouble && rng_.chance(0.7)) { order.faults.push_back(random_fault()); }
        if (trouble && rng_.chance(0.5)) { order.pause_after = rng_.between(1, kSteps); }
        if (const auto found = find_checkpoint(setup_.directory, fingerprint(setup_)); found.file && found.step < kSteps) {
            order.checkpoint = found.file->string();
        }
        return order;
    }

    PlannedFault random_fault() {
        return {.call = rng_.between(0, 40),
                .rank = static_cast<int>(rng_.below(alive_.size())),
                .kind = rng_.chance(0.5) ? PlannedFault::Kind::kVanishes : PlannedFault::Kind::kLosesLast};
    }

    // A rank that fell out may be lost, others too; seldom all, so that a checkpoint (or the seed) is all that is left.
    void lose_workers(const GenerationOrder& order) {
        const bool all = rng_.chance(0.1);
        for (std::size_t rank = 0; rank < order.members.size(); ++rank) {
            const bool fell_out = !order.faults.empty() && order.faults[0].rank == static_cast<int>(rank);
            if (!all && !rng_.chance(fell_out ? 0.7 : 0.1)) { continue; }
            workers_.drop(order.members[rank]);
            alive_.erase(std::find(alive_.begin(), alive_.end(), order.members[rank]));
        }
    }

    RunSetup setup_;
    Rng rng_;
    WorkerThreads workers_;
    std::vector<WorkerNumber> alive_;
    WorkerNumber next_ = 1;
};

std::string digest_in_peace(const RunSetup& setup, Arithmetic arithmetic, const Rng& rng) {
    WorkerThreads workers(setup, engines_of(arithmetic, rng.fork("jumps")));
    std::vector<VirtualNode> all;
    for (VirtualNode node = 0; node < setup.virtual_nodes.size(); ++node) { all.push_back(node); }
    return workers.run({.members = {0}, .virtual_nodes = {all}})[0].digest;
}

// The number of seeds whose random run ends otherwise than the quiet one.
int differing_runs(Arithmetic arithmetic, std::uint64_t count) {
    int differing = 0;
    for (std::uint64_t seed = 0; seed < count; ++seed) {
        Rng rng = Rng(seed).fork("random runs");
        const test::TemporaryFolder quiet;
        const test::TemporaryFolder wild;
        RunSetup setup = random_setup(rng, arithmetic, quiet.path().string());
        const std::string expected = digest_in_peace(setup, arithmetic, rng);
        setup.directory = wild.path().string();
        RandomRun run(setup, arithmetic, rng);
        if (run.run() == expected) { continue; }
        ++differing;
        if (arithmetic != Arithmetic::kPlain) { ADD_FAILURE() << "seed " << seed; }
    }
    return differing;
}

TEST(RandomRuns, WithWholeNumbersEndInTheSameState) { EXPECT_EQ(differing_runs(Arithmetic::kEmulated, seeds()), 0); }

TEST(RandomRuns, WithFixedPointSumsEndInTheSameState) { EXPECT_EQ(differing_runs(Arithmetic::kExact, seeds()), 0); }

TEST(RandomRuns, WithPlainSumsDoNotSoThatTheTestAboveMeansSomething) { EXPECT_GT(differing_runs(Arithmetic::kPlain, 20), 5); }

// As exact as its digest: each step's loss is one number, however often it was done.
TEST(RandomRuns, ReportOneLossForEachStep) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        Rng rng = Rng(seed).fork("losses");
        const test::TemporaryFolder folder;
        RandomRun run(random_setup(rng, Arithmetic::kExact, folder.path().string()), Arithmetic::kExact, rng);
        run.run();
        for (const auto& [step, losses] : run.losses()) { EXPECT_EQ(losses.size(), 1U) << "seed " << seed << ", step " << step; }
    }
}

}  // namespace
}  // namespace medley::executor
