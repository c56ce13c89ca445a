#pragma once
/// A policy whose every decision is looked at before it is passed on.

#include <memory>
#include <string>
#include <vector>

#include "sched/policy.h"

namespace medley::test {

/// What a policy promises beyond soundness.
struct Promises {
    bool work_conserving = false;  ///< after a decision, no waiting job would fit a type's free GPUs
    bool rigid = true;             ///< a job holds its whole gang on one type, or nothing
    bool never_stops = false;      ///< jobs keep what they hold until they end
};

class InspectedPolicy : public Policy {
 public:
    InspectedPolicy(std::unique_ptr<Policy> policy, Promises promises) : policy_(std::move(policy)), promises_(promises) {}

    const PolicyTraits& traits() const override { return policy_->traits(); }
    Decision decide(const ClusterView& view) override;

    const std::vector<std::string>& violations() const { return violations_; }

 private:
    void inspect(const ClusterView& view, const Decision& decision);
    void inspect_change(const ClusterView& view, const Change& change);
    void inspect_what_waits(const ClusterView& view, const std::vector<int>& free, const std::vector<JobId>& waiting);
    void note(const ClusterView& view, const std::string& what);

    std::unique_ptr<Policy> policy_;
    Promises promises_;
    std::vector<std::string> violations_;
};

}  // namespace medley::test
