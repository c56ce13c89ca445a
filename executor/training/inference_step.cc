#include "executor/training/inference_step.h"

#include <algorithm>

#include "core/error.h"
#include "executor/protocol/archive.h"

namespace medley::executor {
namespace {

/// Outputs of one virtual node on their way to rank 0.
using Rows = std::pair<std::int64_t, std::string>;  // first row, bytes

class InferenceStep {
 public:
    InferenceStep(TrainingState& state, const StepWork& work, std::int64_t samples) : state_(state), work_(work), data_samples_(samples) {}

    StepResult run(OutputFile* outputs, const PauseWish& wish) {
        for (const VirtualNode node : work_.virtual_nodes) { predict(node); }
        const auto gathered = clock_.time(times_.collective_s, [&] { return work_.collective.all_gather(encode(mine_)); });
        if (!gathered) { return tl::unexpected(gathered.error()); }
        if (outputs != nullptr) {
            clock_.time(times_.update_s, [&] { write(*gathered, *outputs); });
        }
        // Only after rank 0 has written does anybody get through this.
        const Outcome outcome = clock_.time(times_.collective_s, [&] { return control_.reduce(work_.collective, wish()); });
        if (!outcome) { return tl::unexpected(outcome.error()); }
        ++state_.step;
        return StepOutcome{.weight = control_.weight(), .pause = control_.pause(), .times = clock_.finish(times_)};
    }

 private:
    void predict(VirtualNode node) {
        const std::int64_t first = work_.order.position_of(state_.step, node);
        work_.order.fill(state_.step, node, samples_);
        const std::int64_t left = std::max<std::int64_t>(data_samples_ - first, 0);
        samples_.resize(std::min(samples_.size(), static_cast<std::size_t>(left)));
        if (samples_.empty()) { return; }
        std::string outputs = clock_.time(
            times_.compute_s, [&] { return state_.engine->predict({.step = state_.step, .virtual_node = node, .samples = samples_}); });
        mine_.emplace_back(first, std::move(outputs));
        control_.add(0, static_cast<std::int64_t>(samples_.size()));
    }

    static void write(const std::vector<std::string>& gathered, OutputFile& outputs) {
        for (const std::string& blob : gathered) {
            const auto rows = decode<std::vector<Rows>>(blob);
            if (!rows) { throw Error("a member of the generation sent outputs that cannot be read"); }
            for (const auto& [first, bytes] : *rows) { outputs.write(first, bytes); }
        }
    }

    TrainingState& state_;
    const StepWork& work_;
    std::int64_t data_samples_;
    std::vector<std::int64_t> samples_;
    std::vector<Rows> mine_;
    ControlVector control_;
    StepTimes times_;
    StepClock clock_;
};

}  // namespace

Step inference_steps(std::int64_t samples, std::int64_t global_batch) { return (samples + global_batch - 1) / global_batch; }

StepResult inference_step(TrainingState& state, const StepWork& work, std::int64_t samples, OutputFile* outputs, const PauseWish& wish) {
    return InferenceStep(state, work, samples).run(outputs, wish);
}

}  // namespace medley::executor
