#pragma once
/// One global batch forward only: outputs go to rank 0, which writes them in the order of the inputs.
///
/// The data set is gone through once, in its own order; the last batch has as many samples as are left.

#include <optional>

#include "executor/training/output_file.h"
#include "executor/training/training_step.h"

namespace medley::executor {

/// Batches that cover the data set once.
Step inference_steps(std::int64_t samples, std::int64_t global_batch);

/// The step after `state.step` finished ones. `outputs` is written on rank 0 (and only there). When the call succeeds on any rank, the
/// outputs are written. If the collective fails, the state is as it was. Throws medley::Error as engine and file do.
StepResult inference_step(TrainingState& state, const StepWork& work, std::int64_t samples, OutputFile* outputs, const PauseWish& wish);

}  // namespace medley::executor
