#pragma once
/// How long an emulated device takes, and the waiting itself.

#include <chrono>

#include "executor/engines/engine.h"

namespace medley::executor {

/// Seconds of one virtual node of this size: from the model's table for the GPU type (linear between its sizes, in proportion outside
/// them), or `seconds_per_sample`; times `time_scale`, over `speed`. A table of one type only holds for any type, so that speeds alone
/// may tell devices apart. Throws medley::Error if the type has no table among several.
double emulated_node_seconds(const EmulatedModel& model, const std::string& gpu_type, double speed, std::int64_t samples);

/// Sleeps so that the sum over many calls is right: what one sleep takes too long, the next takes less.
class PacedSleep {
 public:
    void operator()(double seconds);

 private:
    std::chrono::steady_clock::duration late_{0};
};

}  // namespace medley::executor
