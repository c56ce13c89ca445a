#include "cli/parallel.h"

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace medley::cli {
namespace {

TEST(RunInParallel, DoesEveryPieceOnceWhateverTheThreads) {
    for (const int threads : {1, 2, 7, 100}) {
        std::vector<std::atomic<int>> calls(50);
        std::size_t reports = 0;
        run_in_parallel(
            calls.size(), threads, [&](std::size_t index) { ++calls[index]; }, [&](std::size_t done) { EXPECT_EQ(done, ++reports); });
        for (const auto& count : calls) { EXPECT_EQ(count, 1); }
        EXPECT_EQ(reports, calls.size());
    }
}

TEST(RunInParallel, DoesNothingForNothing) {
    run_in_parallel(
        0, 4, [](std::size_t) { FAIL(); }, [](std::size_t) { FAIL(); });
}

// The lower of two failures comes later in time, and is thrown all the same.
TEST(RunInParallel, ThrowsTheFailureOfTheLowestIndexWhateverTheThreads) {
    std::atomic<bool> higher_failed = false;
    const auto work = [&](std::size_t index) {
        if (index == 10) { higher_failed.wait(false); }
        if (index == 11) {
            higher_failed = true;
            higher_failed.notify_all();
        }
        if (index >= 10) { throw std::runtime_error(std::to_string(index)); }
    };
    try {
        run_in_parallel(40, 2, work, [](std::size_t) {});
        FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) { EXPECT_STREQ(error.what(), "10"); }
}

TEST(RunInParallel, StartsNothingMoreAfterAFailure) {
    std::size_t started = 0;
    const auto work = [&](std::size_t) {
        ++started;
        throw std::runtime_error("first");
    };
    EXPECT_THROW(run_in_parallel(40, 1, work, [](std::size_t) {}), std::runtime_error);
    EXPECT_EQ(started, 1U);
}

}  // namespace
}  // namespace medley::cli
