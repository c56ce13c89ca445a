#pragma once
/// Remembers how early bookings were found to be possible, so that a pass over a long queue does not search the same
/// stretch again and again.

#include <algorithm>
#include <array>

#include "core/units.h"

namespace medley::planner {

/// Sound as long as nothing becomes free: what found no room before a time, nothing larger and longer will. Holds the most recent few
/// findings. Cost: O(findings held).
class BookingBounds {
 public:
    void clear() { used_ = next_ = 0; }
    /// No start before this needs to be looked at.
    SimTime earliest(int gpus, SimTime span) const {
        SimTime bound{0};
        for (std::size_t index = 0; index < used_; ++index) {
            const Finding& known = findings_[index];
            if (known.gpus <= gpus && known.span <= span) { bound = std::max(bound, known.earliest); }
        }
        return bound;
    }
    /// There is no room for so many GPUs over such a span before `earliest`.
    void learn(int gpus, SimTime span, SimTime earliest) {
        for (std::size_t index = 0; index < used_; ++index) {
            Finding& known = findings_[index];
            if (known.gpus >= gpus && known.span >= span && known.earliest <= earliest) {
                known = {.gpus = gpus, .span = span, .earliest = earliest};
                return;
            }
        }
        findings_[next_] = {.gpus = gpus, .span = span, .earliest = earliest};
        next_ = (next_ + 1) % kMost;
        used_ = std::max(used_, next_ == 0 ? kMost : next_);
    }

 private:
    static constexpr std::size_t kMost = 24;
    struct Finding {
        int gpus = 0;
        SimTime span;
        SimTime earliest;
    };
    std::array<Finding, kMost> findings_{};
    std::size_t used_ = 0;
    std::size_t next_ = 0;
};

}  // namespace medley::planner
