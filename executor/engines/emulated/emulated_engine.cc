#include "executor/engines/emulated/emulated_engine.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/error.h"
#include "executor/engines/emulated/emulated_numbers.h"
#include "executor/engines/emulated/emulated_times.h"
#include "executor/exact/fixed_point.h"

namespace medley::executor {
namespace {

// A step is a forward and a backward pass, the latter about twice the work.
constexpr double kForwardShare = 1.0 / 3;

class EmulatedEngine : public Engine {
 public:
    explicit EmulatedEngine(const EngineSetup& setup) : setup_(setup), samples_(emulated_samples(setup.job)) {
        require_known_times();
        initialise();
        tensors_ = {{.name = "parameters", .elements = state_.parameters.size()}};
    }

    std::string device_name() const override { return setup_.gpu_type.empty() ? "emulated" : fmt::format("emulated {}", setup_.gpu_type); }
    const std::vector<ReducedTensor>& reduced_tensors() const override { return tensors_; }
    std::int64_t samples() const override { return samples_; }

    void begin_step(const StepContext&) override { sums_.assign(state_.parameters.size(), 0); }

    NodeResult run_node(const NodeWork& work) override {
        sleep_(node_seconds(work));
        add_emulated_gradient(setup_.job.seed, work, sums_);
        return {.loss_sum = emulated_loss_sum(work), .weight = static_cast<std::int64_t>(work.samples.size())};
    }

    Buffer reduction() override { return {.data = sums_.data(), .elements = sums_.size(), .type = ElementType::kInt64}; }

    // Whole numbers need no scale, so exact or not makes no difference here.
    FixedPointStatus fixed_point_status() const override { return {.largest_exponent = {kNoExponent}}; }

    Buffer non_finite_marks() override {
        sums_.assign(sums_.size(), 0);
        return reduction();
    }

    Applied apply(std::int64_t total_weight) override {
        const auto weight = static_cast<std::uint64_t>(total_weight);
        for (std::size_t index = 0; index < sums_.size(); ++index) {
            std::int64_t& parameter = state_.parameters[index];
            parameter =
                static_cast<std::int64_t>(static_cast<std::uint64_t>(parameter) + static_cast<std::uint64_t>(sums_[index]) + weight);
        }
        ++state_.updates;
        return {};
    }

    std::string predict(const NodeWork& work) override {
        sleep_(node_seconds(work) * kForwardShare);
        return setup_.job.precision == Precision::kFp64 ? outputs_as<double>(work) : outputs_as<float>(work);
    }
    std::vector<std::int64_t> output_shape() override { return {1}; }

    std::vector<StateSection> state() override { return state_.sections(); }
    void state_changed() override {}
    void initialise() override { state_ = initial_emulated_state(setup_.job); }

    std::int64_t take_peak_bytes() override {
        return static_cast<std::int64_t>((state_.parameters.size() + sums_.size()) * sizeof(std::int64_t));
    }

 private:
    const EmulatedModel& model() const { return std::get<EmulatedModel>(setup_.job.model); }

    double node_seconds(const NodeWork& work) const {
        return emulated_node_seconds(model(), setup_.gpu_type, setup_.speed, static_cast<std::int64_t>(work.samples.size()));
    }

    void require_known_times() const {
        if (setup_.speed <= 0) { refuse_value("speed", fmt::format("{}", setup_.speed), "a number above 0"); }
        emulated_node_seconds(model(), setup_.gpu_type, setup_.speed, 1);
    }

    template <class Value>
    std::string outputs_as(const NodeWork& work) const {
        std::string bytes(work.samples.size() * sizeof(Value), '\0');
        for (std::size_t index = 0; index < work.samples.size(); ++index) {
            const auto value = static_cast<Value>(emulated_output(setup_.job.seed, work.samples[index]));
            std::memcpy(bytes.data() + index * sizeof(Value), &value, sizeof(Value));
        }
        return bytes;
    }

    EngineSetup setup_;
    std::int64_t samples_;
    EmulatedState state_;
    std::vector<std::int64_t> sums_;
    std::vector<ReducedTensor> tensors_;
    PacedSleep sleep_;
};

}  // namespace

std::unique_ptr<Engine> make_emulated_engine(const EngineSetup& setup) { return std::make_unique<EmulatedEngine>(setup); }

}  // namespace medley::executor
