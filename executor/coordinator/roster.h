#pragma once
/// What a coordinator knows of each worker, and which worker stands for which place of the wanted placement. Facts alone: what follows
/// from them is decided in coordinator_impl.h.

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "executor/coordinator/coordinator.h"

namespace medley::executor {

inline constexpr Milliseconds kNever = std::numeric_limits<Milliseconds>::max() / 4;

struct WorkerFacts {
    Place place;  ///< its virtual nodes as last held
    bool connected = false;
    bool ready = false;
    WorkerState state = WorkerState::kFresh;
    Generation generation = 0;  ///< it is or was last in
    Step step = kNoState;       ///< of the state it held when last heard of
    std::optional<Stopped> stopped;
    std::optional<Checkpointed> checkpointed;
    std::optional<std::size_t> slot;
    std::int64_t process = 0;
    std::string host;

    Milliseconds connect_by = kNever;    ///< to have its first connection
    Milliseconds launch_by = kNever;     ///< to be ready
    Milliseconds back_by = kNever;       ///< to have a connection again
    Milliseconds silent_at = kNever;     ///< unless it says something before
    Milliseconds owes_stop_by = kNever;  ///< to say Stopped
    Milliseconds lease_due = 0;          ///< its next word after this is answered with a Lease

    bool owes_stop() const { return owes_stop_by < kNever; }
    Milliseconds next_deadline() const;
};

/// One place of the wanted placement.
struct Slot {
    Place place;
    std::optional<WorkerNumber> worker;
    int failures = 0;  ///< workers lost without a step done in between
    Milliseconds launch_at = kNever;
    bool given_up = false;
};

class Roster {
 public:
    std::map<WorkerNumber, WorkerFacts> workers;
    std::vector<Slot> slots;

    WorkerFacts* find(WorkerNumber worker);
    const WorkerFacts* find(WorkerNumber worker) const;
    /// Takes it off the list; a slot it had becomes empty. Returns that slot.
    Slot* remove(WorkerNumber worker);
    /// Fits slots to a new placement, with as many of the present workers as possible: those of the same device and GPU type, the ones
    /// that hold state first, then the ready ones. Slots left without are to be filled at `now`.
    void retarget(const Placement& placement, Milliseconds now);
    /// A place is being filled for the first time: worth waiting for.
    bool expects_more() const;
    /// A worker is being launched, or will be.
    bool may_grow() const;
    bool all_slots_ready() const;
    /// The highest step held by a worker that is in no generation; kNoState if none holds any.
    Step best_step() const;
    bool anyone_owes_stop() const;
    Milliseconds next_deadline() const;
    /// The coordinator itself was stopped for so long.
    void put_off(Milliseconds slept);
};

}  // namespace medley::executor
