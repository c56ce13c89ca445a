#pragma once
/// What training steps and forward-only batches have in common: the members' small vector of whole numbers, and what comes of a step.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>

#include <tl/expected.hpp>

#include "executor/collectives/collective.h"
#include "executor/exact/exact_sum.h"
#include "executor/protocol/messages.h"

namespace medley::executor {

struct StepOutcome {
    double loss = 0;  ///< mean over the global batch; the same on every worker
    std::int64_t weight = 0;
    bool pause = false;  ///< some member wishes to stop here, and all know it
    StepTimes times;
};
using StepResult = tl::expected<StepOutcome, CollectiveFailure>;

/// Whether this worker wishes to stop after the step in progress.
using PauseWish = std::function<bool()>;

/// Seconds of the parts of a step; what no part took is "other".
class StepClock {
 public:
    template <class Work>
    auto time(double& seconds, const Work& work) const {
        const Timed timed(seconds);
        return work();
    }
    /// With `other_s` filled in.
    StepTimes finish(StepTimes times) const {
        const double whole = std::chrono::duration<double>(Clock::now() - start_).count();
        times.other_s = whole - times.compute_s - times.collective_s - times.update_s;
        return times;
    }

 private:
    using Clock = std::chrono::steady_clock;
    class Timed {
     public:
        explicit Timed(double& seconds) : seconds_(seconds) {}
        ~Timed() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
        Timed(const Timed&) = delete;
        Timed& operator=(const Timed&) = delete;

     private:
        double& seconds_;
        Clock::time_point start_ = Clock::now();
    };

    Clock::time_point start_ = Clock::now();
};

/// Summed over the members: the exact loss, the weight, the wishes to stop.
class ControlVector {
 public:
    void add(double loss_sum, std::int64_t weight) {
        loss_.add(loss_sum);
        weight_ += weight;
    }

    /// After it all members have the same.
    Outcome reduce(Collective& collective, bool wish) {
        std::array<std::int64_t, ExactSum::kWords + 2> words{};
        std::copy(loss_.words().begin(), loss_.words().end(), words.begin());
        words[ExactSum::kWords] = weight_;
        words[ExactSum::kWords + 1] = wish ? 1 : 0;
        const Outcome outcome =
            collective.all_reduce({.data = words.data(), .elements = words.size(), .type = ElementType::kInt64}, ReduceOp::kSum);
        std::copy_n(words.begin(), ExactSum::kWords, loss_.words().begin());
        weight_ = words[ExactSum::kWords];
        pause_ = words[ExactSum::kWords + 1] > 0;
        return outcome;
    }

    std::int64_t weight() const { return weight_; }
    bool pause() const { return pause_; }
    double mean_loss() const { return weight_ == 0 ? 0 : loss_.value() / static_cast<double>(weight_); }

 private:
    ExactSum loss_;
    std::int64_t weight_ = 0;
    bool pause_ = false;
};

}  // namespace medley::executor
