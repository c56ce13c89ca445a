#include <gtest/gtest.h>

#include "toy_run.h"

namespace medley::test {
namespace {

// 4 GPUs: a holds 3 until 100; b wants 4 and is promised 100.
std::vector<Job> blocked() { return {toy_job("a", 0, 3, 100), toy_job("b", 1, 4, 50)}; }

TEST(EasyBackfill, ShortJobsPassTheBlockedOneIfTheyEndInTime) {
    std::vector<Job> jobs = blocked();
    jobs.push_back(toy_job("too-long", 2, 1, 99));
    jobs.push_back(toy_job("short", 3, 1, 97));
    EXPECT_EQ(run_toy("easy-backfill", {4}, jobs).starts, (Times{0, 100, 150, 3}));
}

TEST(EasyBackfill, LongJobsPassOnGpusTheBlockedOneWillNotNeed) {
    // b wants 3: at 100 one of 4 GPUs stays spare, so c may run for long, but d has to wait.
    const std::vector<Job> jobs{toy_job("a", 0, 2, 100), toy_job("b", 1, 3, 50), toy_job("c", 2, 1, 1000), toy_job("d", 3, 1, 1000)};
    EXPECT_EQ(run_toy("easy-backfill", {4}, jobs).starts, (Times{0, 100, 2, 150}));
}

TEST(EasyBackfill, AnotherTypeIsAlwaysHarmless) {
    std::vector<Job> jobs{toy_job("a", 0, 3, 100), toy_job("b", 1, 4, 50), toy_job("c", 2, 2, 1000)};
    EXPECT_EQ(run_toy("easy-backfill", {4, 2}, jobs).starts, (Times{0, 100, 2}));
}

TEST(EasyBackfill, BelievesTheDeclaredWallTimeNotTheRunTime) {
    std::vector<Job> jobs = blocked();
    jobs.push_back(declared(toy_job("declared-long", 2, 1, 10), 1000));
    EXPECT_EQ(run_toy("easy-backfill", {4}, jobs).starts, (Times{0, 100, 150}));
}

TEST(EasyBackfill, AnEarlyEndIsUsedAtOnce) {
    std::vector<Job> jobs{declared(toy_job("a", 0, 3, 20), 100), toy_job("b", 1, 4, 50)};
    EXPECT_EQ(run_toy("easy-backfill", {4}, jobs).starts, (Times{0, 20}));
}

TEST(EasyBackfill, AJobPastItsDeclaredTimeIsExpectedToEndAtOnce) {
    // a overruns: at 60 the reservation for b is "now", so nobody who needs b's GPUs may pass it.
    std::vector<Job> jobs{declared(toy_job("a", 0, 3, 100), 50), toy_job("b", 1, 4, 50), toy_job("c", 60, 1, 10)};
    EXPECT_EQ(run_toy("easy-backfill", {4}, jobs).starts, (Times{0, 100, 150}));
}

TEST(EasyBackfill, ThePromiseIsInTheLog) {
    const std::string events = run_toy("easy-backfill", {4}, blocked()).run.events;
    EXPECT_NE(events.find(R"("record":"reservation","job":"b")"), std::string::npos);
    EXPECT_NE(events.find(R"("record":"reason","job":"b","text":"first in the queue)"), std::string::npos);
    EXPECT_NE(events.find("100000000000"), std::string::npos);
}

}  // namespace
}  // namespace medley::test
