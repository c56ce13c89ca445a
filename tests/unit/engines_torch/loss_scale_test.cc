#include <gtest/gtest.h>

#include "executor/engines/torch/loss_scale.h"

namespace medley::executor {
namespace {

TEST(LossScale, StaysAsGivenWhenStatic) {
    UpdateState state = first_update_state(128);
    for (int i = 0; i < 5000; ++i) { count_step(state, false, false); }
    EXPECT_EQ(state.loss_scale, 128);
    EXPECT_EQ(state.updates, 5000);
}

TEST(LossScale, HalvesAtEachSkippedStepWhenDynamic) {
    UpdateState state = first_update_state(0);
    EXPECT_EQ(state.loss_scale, 65536);
    count_step(state, true, true);
    count_step(state, true, true);
    EXPECT_EQ(state.loss_scale, 16384);
    EXPECT_EQ(state.updates, 0);
}

TEST(LossScale, DoublesAfterTwoThousandGoodStepsInARow) {
    UpdateState state = first_update_state(0);
    for (int i = 0; i < 1999; ++i) { count_step(state, false, true); }
    EXPECT_EQ(state.loss_scale, 65536);
    count_step(state, true, true);
    for (int i = 0; i < 1999; ++i) { count_step(state, false, true); }
    EXPECT_EQ(state.loss_scale, 32768);
    count_step(state, false, true);
    EXPECT_EQ(state.loss_scale, 65536);
    EXPECT_EQ(state.good_steps, 0);
}

}  // namespace
}  // namespace medley::executor
