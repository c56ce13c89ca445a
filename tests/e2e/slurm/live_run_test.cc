/// The same against a Slurm that is started for the test. Takes three minutes, so it runs with the long campaigns only.

#include <cstdlib>

#include <gtest/gtest.h>

#include "tests/e2e/slurm/replay.h"
#include "tests/support/source_folder.h"

namespace medley::test {
namespace {

constexpr int kNotHere = 77;

TEST(LiveSlurm, StartTimesOfAFreshRunArePredicted) {
    if (std::getenv("MEDLEY_LONG") == nullptr) { GTEST_SKIP() << "takes three minutes: MEDLEY_LONG=1 runs it"; }
    const TemporaryFolder work;
    const std::string recorded = (work / "recorded").string();
    const std::string tool = test::source_path("tools/slurm-truth");
    const Outcome run = run_program(tool, {"--out", recorded, "--jobs", "40", "--span", "20", "--seed", "3"});
    if (run.exit_code == kNotHere) { GTEST_SKIP() << run.out; }
    ASSERT_EQ(run.exit_code, 0) << run.error;
    const Replay replayed = replay(recorded, work, "10s");
    EXPECT_EQ(replayed.import["rows"], 40);
    EXPECT_LT(replayed.comparison["median_error_s"].get<double>(), 2.0) << replayed.table;
}

}  // namespace
}  // namespace medley::test
