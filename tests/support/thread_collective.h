#pragma once
/// The collective among threads of one process, with failures on order; for tests of what stands above the seam.

#include <cstdint>
#include <memory>
#include <vector>

#include "executor/collectives/collective.h"
#include "tests/support/rendezvous.h"

namespace medley::test {

/// What shall go wrong in a membership. Calls are counted from 0, over all_reduce, broadcast and all_gather together; those that need no
/// communication (no bytes) count too.
struct PlannedFault {
    enum class Kind {
        kVanishes,   ///< the rank does not take part in the call: everybody fails
        kLosesLast,  ///< the call succeeds for everybody but this rank
    };
    std::int64_t call = 0;
    int rank = 0;
    Kind kind = Kind::kVanishes;
};

/// One membership. A member that is destroyed, aborted or has failed leaves the others to fail in their next call with it.
class ThreadGroup {
 public:
    explicit ThreadGroup(int size, std::vector<PlannedFault> faults = {}, std::chrono::milliseconds deadline = std::chrono::seconds(60));

    /// Each rank once.
    std::unique_ptr<executor::Collective> member(int rank) const;
    /// As if the rank's process had died.
    void kill(int rank) const;

 private:
    std::shared_ptr<Rendezvous> rendezvous_;
    std::shared_ptr<const std::vector<PlannedFault>> faults_;
};

/// For a trainer's factory: the members, each in its thread, find one another through `setup.exchange`. Rank 0's faults count.
executor::CollectiveMade connect_threads(const executor::CollectiveSetup& setup, const std::vector<PlannedFault>& faults = {});

}  // namespace medley::test
