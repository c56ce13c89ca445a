#include "executor/training/training_step.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace medley::executor {
namespace {

constexpr int kMostRedos = 4;  // one suffices if the engine repeats itself, as it must

/// What the members know of a step's fixed-point sums once they have put their statuses together: maxima, so no worker's share of the
/// virtual nodes matters.
struct ReducedStatus {
    std::vector<std::int64_t> largest;
    bool overflow = false;
    bool not_finite = false;
};

tl::expected<ReducedStatus, CollectiveFailure> reduce_status(const FixedPointStatus& mine, Collective& collective) {
    std::vector<std::int64_t> words = mine.largest_exponent;
    words.push_back(mine.overflow ? 1 : 0);
    words.push_back(mine.not_finite ? 1 : 0);
    const Outcome outcome =
        collective.all_reduce({.data = words.data(), .elements = words.size(), .type = ElementType::kInt64}, ReduceOp::kMax);
    if (!outcome) { return tl::unexpected(outcome.error()); }
    ReducedStatus status{.overflow = words[words.size() - 2] != 0, .not_finite = words.back() != 0};
    words.resize(words.size() - 2);
    status.largest = std::move(words);
    return status;
}

class TrainingStep {
 public:
    TrainingStep(TrainingState& state, const StepWork& work) : state_(state), work_(work), scales_(state.scales) {}

    StepResult run(const PauseWish& wish) {
        for (int redos = 0;; ++redos) {
            accumulate();
            const auto again = settle_scales();
            if (!again) { return tl::unexpected(again.error()); }
            if (!*again) { break; }
            if (redos == kMostRedos) { throw Error("the engine's gradients of one step differ from run to run: --exact cannot hold"); }
        }
        const Outcome outcome = clock_.time(times_.collective_s, [&] { return reduce(wish()); });
        if (!outcome) { return tl::unexpected(outcome.error()); }
        clock_.time(times_.update_s, [&] { update(); });
        return StepOutcome{
            .loss = control_.mean_loss(), .weight = control_.weight(), .pause = control_.pause(), .times = clock_.finish(times_)};
    }

 private:
    void accumulate() {
        control_ = {};
        if (scales_) { exponents_.assign(scales_->exponents().begin(), scales_->exponents().end()); }
        state_.engine->begin_step({.step = state_.step, .fixed_point_exponents = exponents_});
        for (const VirtualNode node : work_.virtual_nodes) {
            work_.order.fill(state_.step, node, samples_);
            const NodeResult result = clock_.time(times_.compute_s, [&] {
                return state_.engine->run_node({.step = state_.step, .virtual_node = node, .samples = samples_});
            });
            control_.add(result.loss_sum, result.weight);
        }
    }

    /// True if the virtual nodes must be run again. On success the sums stand under `exponents_`, and `scales_` is the next step's.
    tl::expected<bool, CollectiveFailure> settle_scales() {
        if (!scales_) { return false; }
        const auto status =
            clock_.time(times_.collective_s, [&] { return reduce_status(state_.engine->fixed_point_status(), work_.collective); });
        if (!status) { return tl::unexpected(status.error()); }
        not_finite_ = status->not_finite;
        return scales_->learn(status->largest, status->overflow);
    }

    Outcome reduce(bool wish) {
        if (not_finite_) {
            const Outcome outcome = work_.collective.all_reduce(state_.engine->non_finite_marks(), ReduceOp::kSum);
            if (!outcome) { return outcome; }
        }
        const Outcome outcome = work_.collective.all_reduce(state_.engine->reduction(), ReduceOp::kSum);
        if (!outcome) { return outcome; }
        return control_.reduce(work_.collective, wish);
    }

    // Only here, when nothing can fail any more on this worker, does the state change.
    void update() {
        state_.engine->apply(std::max<std::int64_t>(control_.weight(), 1));
        state_.scales = scales_;
        state_.loss = control_.mean_loss();
        ++state_.step;
    }

    TrainingState& state_;
    const StepWork& work_;
    std::optional<ScaleBook> scales_;
    std::vector<std::int64_t> exponents_;
    std::vector<std::int64_t> samples_;
    bool not_finite_ = false;
    ControlVector control_;
    StepTimes times_;
    StepClock clock_;
};

}  // namespace

StepResult training_step(TrainingState& state, const StepWork& work, const PauseWish& wish) { return TrainingStep(state, work).run(wish); }

}  // namespace medley::executor
