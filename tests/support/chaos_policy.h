#pragma once
/// A policy without sense or reason, for tests of what must hold under any policy: launches, resizes, stops, moves and mixes jobs at
/// random, within what is free.

#include <cstdint>
#include <vector>

#include "core/rng.h"
#include "sched/policy.h"

namespace medley::test {

struct ChaosOptions {
    double launch = 0.7;  ///< chance that a waiting job is given GPUs
    double touch = 0.3;   ///< chance that a job with GPUs is given others
    double stop = 0.2;    ///< of these, the share that is stopped
    bool mixed = true;    ///< may give a job several types at once
    bool asked_after_transitions = false;
};

class ChaosPolicy : public Policy {
 public:
    ChaosPolicy(std::uint64_t seed, ChaosOptions options);

    const PolicyTraits& traits() const override { return traits_; }
    Decision decide(const ClusterView& view) override;

 private:
    Allocation draw(const ClusterView& view, JobId job);
    void change(Decision& decision, const ClusterView& view, JobId job);

    Rng random_;
    ChaosOptions options_;
    PolicyTraits traits_;
    std::vector<int> free_;
    SimTime last_{-1};
};

}  // namespace medley::test
