#pragma once
/// Loss scaling: the loss is multiplied by a power of two before the backward pass, so that small gradients survive 16-bit numbers.

#include <cstdint>

namespace medley::executor {

/// Part of the state; lies in it as it stands here.
struct UpdateState {
    double loss_scale = 1;
    std::int64_t good_steps = 0;  ///< since the scale last changed
    std::int64_t updates = 0;     ///< done, skipped ones not counted
};

/// Dynamic scaling (`wanted` = 0) starts at 2^16, halves at each step that is not finite, and doubles after 2000 good steps in a row.
UpdateState first_update_state(double wanted);
/// After a step; `dynamic` says whether the scale may change.
void count_step(UpdateState& state, bool skipped, bool dynamic);

}  // namespace medley::executor
