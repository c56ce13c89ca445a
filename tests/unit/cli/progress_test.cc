#include "cli/progress.h"

#include <gtest/gtest.h>

namespace medley::cli {
namespace {

TEST(ProgressLine, ShowsShareRateAndRemainingTime) {
    EXPECT_EQ(progress_line(500, 1000, 2, "jobs"), "[###############...............]   50 %  500 of 1000 jobs, 250 jobs/s, 2 s left");
    EXPECT_EQ(progress_line(1000, 1000, 2, "jobs"), "[##############################]  100 %  1000 of 1000 jobs, 500 jobs/s, 0 s left");
}

TEST(ProgressLine, PromisesNothingBeforeTheFirstIsDone) {
    EXPECT_EQ(progress_line(0, 10, 2, "runs"), "[..............................]    0 %  0 of 10 runs");
}

TEST(Progress, IsSilentWhereStandardErrorIsNoTerminal) {
    testing::internal::CaptureStderr();  // goes to a file
    {
        const Console console;
        Progress progress(console, "jobs");
        EXPECT_FALSE(progress.enabled());
        progress.update(1, 2);
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace medley::cli
