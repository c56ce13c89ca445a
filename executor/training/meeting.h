#pragma once
/// How the members of a new generation come to hold one state.

#include "executor/collectives/collective.h"
#include "executor/training/training_state.h"

namespace medley::executor {

/// Afterwards every rank holds, bit for bit, the state after `form.step`: from the seed, from a checkpoint, or from the source rank. Only
/// what differs travels: nothing, if all hold it already. A worker that held a state keeps that one if the collective fails.
/// Throws medley::Error if the members' jobs or engines differ, or a checkpoint is not good.
///
/// Cost: one pass over a state that is held; its bytes over the wire if anyone lacks them, and a copy of them where another state is held.
Outcome share_state(TrainingState& state, Collective& collective, const Form& form, const std::string& job_fingerprint);

}  // namespace medley::executor
