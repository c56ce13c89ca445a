#include "executor/engines/torch/loss_scale.h"

#include <algorithm>

namespace medley::executor {
namespace {

constexpr double kFirstScale = 65536;
constexpr double kLowestScale = 0x1p-14;
constexpr double kHighestScale = 0x1p32;
constexpr std::int64_t kGoodSteps = 2000;

}  // namespace

UpdateState first_update_state(double wanted) { return {.loss_scale = wanted == 0 ? kFirstScale : wanted}; }

void count_step(UpdateState& state, bool skipped, bool dynamic) {
    if (!skipped) { ++state.updates; }
    if (!dynamic) { return; }
    state.good_steps = skipped ? 0 : state.good_steps + 1;
    if (skipped) { state.loss_scale = std::max(kLowestScale, state.loss_scale / 2); }
    if (state.good_steps == kGoodSteps) {
        state.loss_scale = std::min(kHighestScale, state.loss_scale * 2);
        state.good_steps = 0;
    }
}

}  // namespace medley::executor
