#include "executor/training/generation_signals.h"

#include <gtest/gtest.h>

#include "tests/support/thread_collective.h"

namespace medley::executor {
namespace {

bool broken(Collective& collective) {
    std::int64_t word = 0;
    return !collective.all_reduce({.data = &word, .elements = 1, .type = ElementType::kInt64}, ReduceOp::kSum);
}

TEST(GenerationSignals, CountForTheirGenerationAndThoseBefore) {
    GenerationSignals signals;
    EXPECT_FALSE(signals.pause_requested(1));
    signals.request_pause(3);
    EXPECT_TRUE(signals.pause_requested(3));
    EXPECT_FALSE(signals.pause_requested(4));
    signals.request_pause(2);
    EXPECT_TRUE(signals.pause_requested(3));
}

TEST(GenerationSignals, AbortTheCollectiveOfTheirGeneration) {
    GenerationSignals signals;
    const auto collective = test::ThreadGroup(1).member(0);
    const GenerationSignals::Guard guard(signals, 3, *collective);
    signals.abort(2);
    EXPECT_FALSE(broken(*collective));
    EXPECT_FALSE(signals.aborted(3));
    signals.abort(3);
    EXPECT_TRUE(broken(*collective));
    EXPECT_TRUE(signals.aborted(3));
}

TEST(GenerationSignals, ThatComeBeforeTheCollectiveWaitForIt) {
    GenerationSignals signals;
    signals.abort(3);
    const auto collective = test::ThreadGroup(1).member(0);
    const GenerationSignals::Guard guard(signals, 3, *collective);
    EXPECT_TRUE(broken(*collective));
}

TEST(GenerationSignals, ThatComeTooLateHaveNoEffect) {
    GenerationSignals signals;
    const auto first = test::ThreadGroup(1).member(0);
    { const GenerationSignals::Guard guard(signals, 3, *first); }
    signals.abort(3);
    EXPECT_FALSE(broken(*first));
    const auto second = test::ThreadGroup(1).member(0);
    const GenerationSignals::Guard guard(signals, 4, *second);
    EXPECT_FALSE(broken(*second));
}

}  // namespace
}  // namespace medley::executor
