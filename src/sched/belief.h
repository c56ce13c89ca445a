#pragma once
/// What a policy may know of a job: what its user declared, what profiles say, what was observed so far. The simulator's truth (the
/// World) is another type in another module, so a policy cannot peek.

#include <cstdint>
#include <memory>
#include <optional>

#include "core/ids.h"
#include "core/job.h"
#include "core/name.h"
#include "core/units.h"
#include "sched/allocation.h"

namespace medley {

/// What a policy needs to be told about run times. Results print it, and comparisons rank within a class.
enum class InformationClass {
    kOracle,    ///< the true run time
    kDeclared,  ///< the wall time the user declared (the run time where none was)
    kLearned,   ///< only what has been observed
};

const char* to_string(InformationClass information);

/// A set of GPU types as bits; a cluster has at most 64 types.
using GpuTypeMask = std::uint64_t;

/// A job as its policy sees it. Fixed from submission on.
struct JobBelief {
    JobId id;
    SimTime submit;
    Name model;
    int gpus = 1;  ///< requested gang, or kWholePool
    int min_gpus = 0;
    int max_gpus = 0;
    std::int64_t batch_size = 0;
    double priority = 1;
    double weight = 1;
    std::optional<Seconds> deadline;
    GpuTypeMask allowed = ~GpuTypeMask{0};
    std::shared_ptr<const JobExtras> extras;  ///< qos, partition, user, ...; may be null
    /// Run time on the requested GPUs of the reference (or best) type; by information class, empty for kLearned.
    std::optional<Seconds> run_time;
    /// The limit that its user declared, whatever the class; empty where none was.
    std::optional<Seconds> walltime;
    /// Work in the job's own unit; empty for kLearned and kDeclared.
    std::optional<double> total_work;
    /// Jobs of one kind have equal speeds everywhere: same model, batch, gang, limits, allowed types and reference. Dense from 0.
    std::uint32_t kind = 0;

    bool allows(GpuTypeId type) const { return (allowed >> type.index()) & 1U; }
};

enum class JobPhase : std::uint8_t {
    kWaiting,   ///< holds nothing, is not about to
    kStarting,  ///< will hold or holds GPUs, makes no progress yet
    kRunning,
    kStopping,  ///< checkpointing before it gives its GPUs back
    kDone,      ///< finished, cancelled or rejected
};

}  // namespace medley
