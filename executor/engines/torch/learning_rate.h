#pragma once
/// The learning rate over steps.

#include "core/training.h"

namespace medley::executor {

/// For the step after `step` finished ones. Warm-up: (step + 1) / warmup_steps of the full rate. Then constant, or falling (in a line, or
/// as half a cosine) from the full rate at the first step after warm-up to `final_fraction` of it at the job's last step.
double learning_rate(const TrainingJob& job, std::int64_t step);

}  // namespace medley::executor
