#pragma once
/// Means over time in a bounded number of bins, whatever the length of the log.

#include <cstdint>
#include <vector>

#include "core/units.h"

namespace medley {

/// Means over one stretch of time.
struct UtilizationBin {
    SimTime start;
    SimTime end;
    double present_gpus = 0;
    double held_gpus = 0;
    double running_jobs = 0;  ///< jobs that hold GPUs
    double waiting_jobs = 0;
};

/// What holds from one moment to the next.
struct ClusterLoad {
    double present_gpus = 0;
    double held_gpus = 0;
    double running_jobs = 0;
    double waiting_jobs = 0;
};

/// Bins start one second wide and double in width whenever time runs past the last, so that there are never more than `kMostBins`.
/// Cost: O(bins that the stretch covers), amortised O(1) for stretches shorter than a bin. Thread rule: one thread.
class UtilizationSeries {
 public:
    static constexpr std::size_t kMostBins = 2048;

    /// The load held from `from` to `to`. Requires stretches in order, without gaps.
    void add(SimTime from, SimTime to, const ClusterLoad& load);
    /// Means over each bin; the last ends where the log does.
    std::vector<UtilizationBin> bins() const;

 private:
    void double_width();
    void add_to_bin(std::size_t bin, std::int64_t span, const ClusterLoad& load);

    std::vector<ClusterLoad> sums_;  ///< load x nanoseconds
    std::int64_t width_ = 1'000'000'000;
    SimTime origin_ = kNever;
    SimTime end_;
};

}  // namespace medley
