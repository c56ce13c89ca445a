#pragma once
/// One step of training on one worker.

#include "executor/data/sample_order.h"
#include "executor/training/step.h"
#include "executor/training/training_state.h"

namespace medley::executor {

struct StepWork {
    const SampleOrder& order;
    Collective& collective;
    const std::vector<VirtualNode>& virtual_nodes;  ///< of this worker
};

/// Runs the virtual nodes, reduces, updates: the state is then that of one step more. If the collective fails, the state is as it was.
/// With fixed-point sums the virtual nodes are run anew when their scales turn out not to fit. Throws medley::Error as the engine does.
StepResult training_step(TrainingState& state, const StepWork& work, const PauseWish& wish);

}  // namespace medley::executor
