#pragma once
/// Who should be in the next generation, and where the virtual nodes go. A pure function of what is known of the workers.

#include <optional>
#include <span>
#include <vector>

#include "executor/coordinator/roster.h"

namespace medley::executor {

struct Arrangement {
    std::vector<WorkerNumber> members;    ///< by rank
    Placement placement;                  ///< by rank
    std::optional<std::uint32_t> source;  ///< rank of a holder of the state; empty: nobody holds it
    bool as_wanted = false;               ///< exactly the wanted placement
};

/// `holders`: the workers that hold the highest step, in the order in which they are preferred.
///
/// The wanted placement if each of its places has a ready worker. Else what there is: the ready ones, and beside them those that the wanted
/// placement has no place for, as long as it is incomplete; no more of them than there are virtual nodes. If no worker in it holds the
/// state, one that does stays for the time of one generation, as its last rank and without virtual nodes, to hand it on: so even a single
/// virtual node can move. A start without any state waits for all places that are being filled for the first time; empty then,
/// and when nobody is ready.
std::optional<Arrangement> arrange(const Roster& roster, std::span<const WorkerNumber> holders, std::span<const std::int64_t> virtual_nodes,
                                   Rebalance rebalance);

}  // namespace medley::executor
