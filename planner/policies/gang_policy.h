#pragma once
/// A policy that is nothing but a gang queue with rules.

#include <utility>

#include "planner/policies/gang_queue.h"
#include "sched/policy.h"

namespace medley::planner {

class GangPolicy final : public Policy {
 public:
    GangPolicy(PolicyTraits traits, GangRules rules) : traits_(std::move(traits)), queue_(rules) {}
    const PolicyTraits& traits() const override { return traits_; }
    Decision decide(const ClusterView& view) override { return queue_.decide(view); }

 private:
    PolicyTraits traits_;
    GangQueue queue_;
};

}  // namespace medley::planner
