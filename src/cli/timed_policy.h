#pragma once
/// How long a policy thinks on this machine's clock. Reported as `wall_policy_s` only; never charged to simulated time.

#include <chrono>

#include "cli/interruption.h"
#include "sched/policy.h"

namespace medley::cli {

class Stopwatch {
 public:
    double elapsed_s() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

/// Passes everything on to another policy, which must outlive it; throws Interrupted instead once the user wants to stop.
class TimedPolicy : public Policy {
 public:
    explicit TimedPolicy(Policy& policy) : policy_(policy) {}

    const PolicyTraits& traits() const override { return policy_.traits(); }
    Decision decide(const ClusterView& view) override {
        InterruptionGuard::check();
        const Stopwatch stopwatch;
        Decision decision = policy_.decide(view);
        elapsed_s_ += stopwatch.elapsed_s();
        return decision;
    }
    double elapsed_s() const { return elapsed_s_; }

 private:
    Policy& policy_;
    double elapsed_s_ = 0;
};

}  // namespace medley::cli
