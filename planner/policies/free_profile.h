#pragma once
/// What will be free of one pool of GPUs from now on, as a step function of time.

#include <optional>
#include <vector>

#include "core/units.h"

namespace medley::planner {

/// Thread rule: one thread.
class FreeProfile {
 public:
    /// Starts anew: so many GPUs from `now` on, for ever.
    void reset(SimTime now, int gpus);
    /// Forgets what lies before. Requires a time that never goes back.
    void advance(SimTime now);
    /// More (+) or fewer (-) GPUs in [from, to). What lies before the profile's beginning is left out. Cost: O(steps).
    void add(SimTime from, SimTime to, int gpus);

    SimTime begin() const { return steps_.front().from; }
    int free_now() const { return steps_.front().free; }
    std::size_t steps() const { return steps_.size(); }

    struct Query {
        SimTime from;             ///< no start before
        SimTime before = kNever;  ///< only a start before this is of interest
        SimTime span;
        int gpus = 0;
    };
    /// The first start from which so many GPUs stay free for the whole span. Cost: O(log steps + steps looked at).
    std::optional<SimTime> earliest(const Query& query) const;
    /// Since when so many GPUs are free without a break up to `until`; `until` itself if they are not just before it.
    SimTime free_since(SimTime until, int gpus) const;

 private:
    struct Step {
        SimTime from;
        int free = 0;
    };
    std::size_t step_at(SimTime time) const;
    std::size_t cut_at(SimTime time);

    std::vector<Step> steps_{Step{}};  ///< ascending; the last lasts for ever
};

}  // namespace medley::planner
