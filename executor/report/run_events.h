#pragma once
/// A run as an event log, so that the metrics, files and comparisons made for simulations serve real runs.
///
/// A run is one job, whose work is counted in steps. A membership that trains is one stretch of even speed, its mean; between two of them
/// the job makes no progress and all its GPUs count as waiting for one another (those just gained, as resizing). Work done before this
/// life of the coordinator is not part of it. When no worker that held the newest state was left, the job has lost its GPUs, with the
/// steps since the checkpoint.

#include <optional>
#include <string>
#include <vector>

#include "executor/report/run_history.h"
#include "sched/event_log.h"

namespace medley::executor {

struct RunEventsOptions {
    std::string job_id;
    Name model;
    std::uint64_t seed = 0;
    Step steps = 0;  ///< to be done in all
    /// Prices and powers of GPU types, where they are known.
    std::vector<HeaderRecord::Type> types;
};

/// Sends the whole log, from header to end.
void send_events(const RunEventsOptions& options, const RunHistory& history, EventSink& sink);

}  // namespace medley::executor
