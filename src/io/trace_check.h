#pragma once
/// Does a trace fit the cluster and the profiles it shall run with?

#include <cstddef>
#include <vector>

#include "core/cluster.h"
#include "core/job.h"
#include "core/profile.h"

namespace medley::io {

/// What to do with a job that can never run: a gang larger than every pool it may run on, or no type that can run its model.
enum class OverWide {
    kRefuse,  ///< wrong input
    kReject,  ///< leave it to the scheduler, which rejects it by name in the log
    kClamp,   ///< make a gang as large as the largest pool; no type at all is still wrong input
};

struct TraceCheck {
    std::size_t over_wide = 0;   ///< gangs that were too large, kept or clamped
    std::size_t unrunnable = 0;  ///< jobs that no allowed type can run, kept
    std::size_t fractional = 0;  ///< jobs that ask for a part of a GPU; they are given whole ones
    /// Jobs with a duration that is the same on every type, for want of a profile or of the type it was measured on; 0 on a cluster of
    /// one type.
    std::size_t alike = 0;
};

/// Throws medley::Error naming the job, the column, the value and the nearest known name: for a GPU type that the cluster does not
/// have, a reference type that neither the cluster nor the model's profile knows, a job in steps whose model has no profile,
/// (unless kReject) a job that no allowed type can run - by the rule of the cost model: profiled there, with a size that fits its memory,
/// in a pool that holds the gang - and (with kRefuse) an over-wide gang. Cost: O(jobs x types + profiles).
TraceCheck check_trace(Trace& trace, const Cluster& cluster, const std::vector<Profile>& profiles, OverWide over_wide);

}  // namespace medley::io
