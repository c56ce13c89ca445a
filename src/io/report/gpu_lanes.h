#pragma once
/// Which of a type's GPUs a job is drawn on. The log says how many GPUs a job holds, not which; a picture needs places.

#include <cstdint>
#include <map>
#include <vector>

namespace medley::io {

/// Neighbouring lanes, one lane a GPU.
struct LaneRun {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    bool operator==(const LaneRun&) const = default;
};

/// The lanes of one GPU type, numbered from 0. Cost: O(runs of free lanes) a call. Thread rule: one thread.
class GpuLanes {
 public:
    explicit GpuLanes(std::uint32_t lanes) : capacity_(lanes) {}

    /// Lanes beyond the largest capacity ever stated are used only when more are held than that.
    void grow_to(std::uint32_t lanes) { capacity_ = capacity_ < lanes ? lanes : capacity_; }
    /// One run where some gap has room (the smallest such gap, the lowest of equals), else the lowest free lanes in several runs.
    std::vector<LaneRun> take(std::uint32_t lanes);
    /// Requires lanes that were taken.
    void give_back(LaneRun run);
    /// Lanes ever used, and the capacity.
    std::uint32_t lanes() const { return used_ < capacity_ ? capacity_ : used_; }

 private:
    std::map<std::uint32_t, std::uint32_t>::iterator best_gap(std::uint32_t lanes);
    LaneRun cut(std::map<std::uint32_t, std::uint32_t>::iterator gap, std::uint32_t lanes);
    LaneRun extend(std::uint32_t lanes);

    std::map<std::uint32_t, std::uint32_t> gaps_;  ///< first to count, of the free lanes below `used_`; no two touch
    std::uint32_t used_ = 0;
    std::uint32_t capacity_;
};

}  // namespace medley::io
