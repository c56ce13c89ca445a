/// The same with processes over gloo, as users run it: what is killed, and when, does not show in the state. Kills come when the step is
/// heard of, so where in the step after it they strike is the machine's affair.

#include <csignal>
#include <cstdlib>

#include <gtest/gtest.h>

#include "core/rng.h"
#include "tests/support/real_run.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trained_models.h"

namespace medley::test {
namespace {

bool long_campaign() { return std::getenv("MEDLEY_LONG") != nullptr; }

class RealProcesses : public testing::TestWithParam<std::string> {
 protected:
    // CI's share is one model: each process loads Torch anew.
    void SetUp() override {
        if (!long_campaign() && GetParam() != "cnn") { GTEST_SKIP() << "MEDLEY_LONG=1 runs all models"; }
    }

    RealJob job(int workers = 3) const {
        return {.workers = workers, .virtual_nodes = static_cast<int>(kEqualNodes.size()), .model = GetParam()};
    }

    /// The digest of a run of its own, which `harm` is done to meanwhile.
    template <class Harm>
    std::string digest_of(const RealJob& job, const Harm& harm) {
        const TemporaryFolder folder;
        RealRun run(folder / "run", job);
        run.start();
        harm(run);
        EXPECT_EQ(run.wait(), 0);
        EXPECT_EQ(run.left_behind(), "");
        lost_ += run.count("lost ");
        return run.digest();
    }
    std::string digest_in_peace() {
        return digest_of(job(1), [](RealRun&) {});
    }

    int lost_ = 0;
};

TEST_P(RealProcesses, HaveOneStateWhenAWorkerIsKilledAtAnyStep) {
    const std::string expected = digest_in_peace();
    ASSERT_NE(expected, "");
    Rng rng = Rng(2).fork(GetParam());
    const int kills = long_campaign() ? 20 : 1;
    for (int kill = 0; kill < kills; ++kill) {
        const std::int64_t step = rng.between(0, kTrainedSteps - 10);
        const auto victim = static_cast<std::uint32_t>(rng.between(1, 3));
        const std::string digest = digest_of(job(), [&](RealRun& run) {
            ASSERT_TRUE(step == 0 ? run.wait_for("generation ") != "" : run.wait_for_step(step));
            run.signal_worker(victim, SIGKILL);
        });
        EXPECT_EQ(digest, expected) << "worker " << victim << " killed at step " << step;
    }
    EXPECT_GE(lost_, kills) << "each kill struck while the run went on";
}

TEST_P(RealProcesses, HaveOneStateWhenTheCoordinatorIsKilledAndStartedAgain) {
    const std::string expected = digest_in_peace();
    ASSERT_NE(expected, "");
    for (const std::int64_t step : {1, 20, 40}) {
        const std::string digest = digest_of(job(), [&](RealRun& run) {
            ASSERT_TRUE(run.wait_for_step(step));
            run.kill_coordinator();
            run.resume();
        });
        EXPECT_EQ(digest, expected) << "the coordinator killed at step " << step;
        if (!long_campaign()) { break; }
    }
}

// All are gone, and the newest checkpoint is where it goes on.
TEST_P(RealProcesses, HaveOneStateWhenAllAreKilledAndTheRunIsResumed) {
    const std::string expected = digest_in_peace();
    RealJob saved = job();
    saved.checkpoint_every = 7;
    const std::string digest = digest_of(saved, [&](RealRun& run) {
        ASSERT_NE(run.wait_for("checkpoint 14"), "");
        run.kill_coordinator();
        run.signal_workers(SIGKILL);
        run.resume();
    });
    EXPECT_EQ(digest, expected);
}

INSTANTIATE_TEST_SUITE_P(Models, RealProcesses, testing::Values("mlp", "cnn", "gpt"), [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace medley::test
