#pragma once
/// What the records of earlier terms say: the point from which a coordinator goes on.

#include <map>
#include <optional>
#include <span>

#include "executor/coordinator/live_generation.h"

namespace medley::executor {

struct History {
    Term term = 0;  ///< the highest so far
    WorkerNumber last_worker = 0;
    Generation last_generation = 0;
    std::optional<GenerationRecord> newest;       ///< of the generations
    std::optional<LiveGeneration> live;           ///< not come to rest
    std::map<WorkerNumber, WorkerFacts> workers;  ///< neither lost nor released
    std::optional<Placement> target;
    std::size_t planned_done = 0;  ///< of the planned resizes, in their order
    Step step = 0;
    double loss = 0;
    std::optional<FinishedRecord> finished;
};

History replay(std::span<const Record> log, std::span<const std::pair<Step, Placement>> planned);

bool same_placement(const Placement& a, const Placement& b);

}  // namespace medley::executor
