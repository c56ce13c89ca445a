#pragma once
/// The fewest tracks on which the spans of a GPU type lie without overlap, a job staying on its track while it holds the same GPUs.

#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <utility>
#include <vector>

#include "io/report/job_spans.h"

namespace medley::io {

/// Cost: O(n log n) for n spans. Thread rule: one thread.
class TrackSlots {
 public:
    /// Gives each span of `type` a track, numbered from 0. `order` lists the spans by their beginnings.
    void place(const std::vector<JobSpan>& spans, const std::vector<std::uint32_t>& order, GpuTypeId type,
               std::vector<std::uint32_t>& tracks);
    std::uint32_t tracks() const { return static_cast<std::uint32_t>(busy_until_.size()); }

 private:
    /// Who was last seen on a run of lanes, and on which track.
    struct Occupant {
        JobId job;
        SimTime end;
        std::uint32_t track = 0;
    };
    void place_together(const std::vector<JobSpan>& spans, const std::vector<std::uint32_t>& group, std::vector<std::uint32_t>& tracks);
    void occupy(const JobSpan& span, std::uint32_t track);
    void free_until(SimTime now);
    std::uint32_t free_track();

    std::map<std::uint32_t, Occupant> occupants_;  ///< by first lane
    std::vector<SimTime> busy_until_;              ///< by track
    std::priority_queue<std::pair<SimTime, std::uint32_t>, std::vector<std::pair<SimTime, std::uint32_t>>, std::greater<>> ends_;
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free_;
};

}  // namespace medley::io
