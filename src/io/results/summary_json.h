#pragma once
/// summary.json, which is also what `medley simulate --json` prints.

#include "io/results/json_writer.h"
#include "sched/metrics.h"

namespace medley::io {

/// Measured on the clock of this machine: the only figures that differ between two runs with the same inputs and seed.
struct WallTimes {
    double total_s = 0;
    double policy_s = 0;
};

/// Writes one object with the fields of the interface; what is not known is null.
void write_summary(JsonWriter& json, const Summary& summary, const WallTimes& wall);

}  // namespace medley::io
