#pragma once
/// The seam for scheduling policies: one file each in planner/policies, one row in its table.

#include <string>
#include <utility>
#include <vector>

#include "core/units.h"
#include "sched/belief.h"
#include "sched/cluster_view.h"
#include "sched/decision.h"

namespace medley {

struct PolicyTraits {
    std::string name;
    InformationClass information = InformationClass::kLearned;
    Seconds default_round{0};              ///< 0 = asked at every event
    bool asked_after_transitions = false;  ///< also when a launch, resize or stop completes
    /// Every option with the value in force, in a fixed order; printed with the results.
    std::vector<std::pair<std::string, std::string>> options;
};

/// A policy may keep state between calls, but must decide from the view alone: same calls, same answers.
class Policy {
 public:
    virtual ~Policy() = default;
    virtual const PolicyTraits& traits() const = 0;
    virtual Decision decide(const ClusterView& view) = 0;
};

}  // namespace medley
