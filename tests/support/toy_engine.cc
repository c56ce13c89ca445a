#include "tests/support/toy_engine.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "core/error.h"
#include "core/rng.h"
#include "executor/exact/fixed_point.h"

namespace medley::test {
namespace {

using namespace executor;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

class ToyEngine : public Engine {
 public:
    ToyEngine(const EngineSetup& setup, const ToyOptions& options)
        : setup_(setup),
          options_(options),
          tensors_{{.name = "weights", .elements = options.parameters}, {.name = "mean", .elements = 1, .statistic = true}} {
        initialise();
    }

    std::string device_name() const override { return "toy"; }
    const std::vector<ReducedTensor>& reduced_tensors() const override { return tensors_; }
    std::int64_t samples() const override { return std::get<SyntheticData>(setup_.job.data).samples; }

    void begin_step(const StepContext& context) override {
        exponents_.assign(context.fixed_point_exponents.begin(), context.fixed_point_exponents.end());
        values_.assign(options_.parameters + 1, 0);
        sums_.assign(values_.size(), 0);
        marks_.assign(values_.size(), 0);
        status_ = {.largest_exponent = {kNoExponent, kNoExponent}};
    }

    NodeResult run_node(const NodeWork& work) override {
        std::vector<float> node(values_.size(), 0);
        Rng chance(setup_.job.seed + static_cast<std::uint64_t>(work.step * 1000) + work.virtual_node);
        const float factor = options_.factor(work.step, work.virtual_node);
        double loss = 0;
        for (const std::int64_t sample : work.samples) { loss += add_sample(sample, chance, factor, node); }
        add_node(node);
        return {.loss_sum = loss, .weight = static_cast<std::int64_t>(work.samples.size())};
    }

    Buffer reduction() override {
        if (setup_.exact) { return {.data = sums_.data(), .elements = sums_.size(), .type = ElementType::kInt64}; }
        return {.data = values_.data(), .elements = values_.size(), .type = ElementType::kFloat32};
    }
    FixedPointStatus fixed_point_status() const override { return status_; }
    Buffer non_finite_marks() override { return {.data = marks_.data(), .elements = marks_.size(), .type = ElementType::kInt64}; }

    Applied apply(std::int64_t total_weight) override {
        if (setup_.exact) { unfold_sums(); }
        const auto weight = static_cast<float>(options_.divides_by_nodes ? 1 : total_weight);
        for (std::size_t index = 0; index < options_.parameters; ++index) {
            slots_[index] = 0.9F * slots_[index] + values_[index] / weight;
            parameters_[index] -= 0.1F * slots_[index];
        }
        mean_[0] += 0.1F * values_.back() / weight;
        return {};
    }

    std::string predict(const NodeWork& work) override {
        std::string bytes;
        for (const std::int64_t sample : work.samples) {
            const float outputs[] = {parameters_[0], static_cast<float>(sample)};
            bytes.append(reinterpret_cast<const char*>(outputs), sizeof outputs);
        }
        return bytes;
    }
    std::vector<std::int64_t> output_shape() override { return {2}; }

    std::vector<StateSection> state() override {
        return {{.name = "parameters", .bytes = std::as_writable_bytes(std::span(parameters_))},
                {.name = "slots", .bytes = std::as_writable_bytes(std::span(slots_))},
                {.name = "mean", .bytes = std::as_writable_bytes(std::span(mean_))}};
    }
    void state_changed() override {}
    void initialise() override {
        Rng rng(setup_.job.seed);
        parameters_.resize(options_.parameters);
        for (float& parameter : parameters_) { parameter = static_cast<float>(rng.uniform(-1, 1)); }
        slots_.assign(options_.parameters, 0);
        mean_.assign(1, 0);
    }

 private:
    double add_sample(std::int64_t sample, Rng& chance, float factor, std::vector<float>& node) const {
        double loss = 0;
        for (std::size_t index = 0; index < options_.parameters; ++index) {
            const auto phase = static_cast<float>(sample % 17) + 0.1F * static_cast<float>(index);
            const float dropped = chance.chance(0.2) ? 0.0F : 1.0F;
            node[index] += dropped * factor * std::sin(parameters_[index] + phase);
            loss += 1 - std::cos(static_cast<double>(parameters_[index] + phase));
        }
        node.back() += static_cast<float>(sample) - mean_[0];
        return loss;
    }

    void add_node(const std::vector<float>& node) {
        if (!setup_.exact) {
            const float share = options_.divides_by_nodes ? 1.0F / static_cast<float>(setup_.virtual_nodes.size()) : 1.0F;
            for (std::size_t index = 0; index < node.size(); ++index) { values_[index] += share * node[index]; }
            return;
        }
        fold_part(node, 0, 0, options_.parameters);
        fold_part(node, 1, options_.parameters, 1);
    }

    void fold_part(const std::vector<float>& node, std::size_t tensor, std::size_t first, std::size_t count) {
        const std::span<const float> part = std::span(node).subspan(first, count);
        const FoldStatus status = fold(part, exponents_[tensor], setup_.virtual_nodes.size(), std::span(sums_).subspan(first, count));
        status_.largest_exponent[tensor] = std::max(status_.largest_exponent[tensor], status.largest_exponent);
        status_.overflow |= status.overflow;
        status_.not_finite |= status.not_finite;
        for (std::size_t index = 0; index < count; ++index) {
            const float value = part[index];
            if (std::isfinite(value)) { continue; }
            marks_[first + index] += std::int64_t{1} << (value == kInfinity ? 0 : value == -kInfinity ? 21 : 42);
        }
    }

    void unfold_sums() {
        const std::size_t addends = setup_.virtual_nodes.size();
        unfold(std::span(sums_).first(options_.parameters), exponents_[0], addends, std::span(values_).first(options_.parameters));
        unfold(std::span(sums_).last(1), exponents_[1], addends, std::span(values_).last(1));
        for (std::size_t index = 0; index < values_.size(); ++index) {
            if (marks_[index] == 0) { continue; }
            const bool both = (marks_[index] & 0x1fffff) != 0 && (marks_[index] >> 21 & 0x1fffff) != 0;
            const bool nan = both || marks_[index] >> 42 != 0;
            values_[index] = nan ? std::numeric_limits<float>::quiet_NaN() : (marks_[index] & 0x1fffff) != 0 ? kInfinity : -kInfinity;
        }
    }

    EngineSetup setup_;
    ToyOptions options_;
    std::vector<ReducedTensor> tensors_;
    std::vector<float> parameters_, slots_, mean_, values_;
    std::vector<std::int64_t> exponents_, sums_, marks_;
    FixedPointStatus status_;
};

}  // namespace

std::unique_ptr<Engine> make_toy_engine(const EngineSetup& setup, const ToyOptions& options) {
    return std::make_unique<ToyEngine>(setup, options);
}

}  // namespace medley::test
