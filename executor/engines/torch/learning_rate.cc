#include "executor/engines/torch/learning_rate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace medley::executor {
namespace {

// How much of the way from full to final rate is still ahead, by the progress 0..1 of the steps after warm-up.
double remaining(ScheduleKind kind, double progress) {
    switch (kind) {
        case ScheduleKind::kConstant: return 1;
        case ScheduleKind::kLinear: return 1 - progress;
        case ScheduleKind::kCosine: return 0.5 * (1 + std::cos(std::numbers::pi * progress));
    }
    return 1;
}

}  // namespace

double learning_rate(const TrainingJob& job, std::int64_t step) {
    const ScheduleSpec& schedule = job.schedule;
    const double full = job.optimizer.learning_rate;
    if (step < schedule.warmup_steps) { return full * static_cast<double>(step + 1) / static_cast<double>(schedule.warmup_steps); }
    const std::int64_t falling = std::max<std::int64_t>(1, job.steps - 1 - schedule.warmup_steps);
    const double progress = std::min(1.0, static_cast<double>(step - schedule.warmup_steps) / static_cast<double>(falling));
    const double final_fraction = schedule.kind == ScheduleKind::kConstant ? 1 : schedule.final_fraction;
    return full * (final_fraction + (1 - final_fraction) * remaining(schedule.kind, progress));
}

}  // namespace medley::executor
