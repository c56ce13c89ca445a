#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/rng.h"
#include "executor/data/datasets.h"

namespace medley::executor {
namespace {

// Two numbers in [-1, 1) from one draw: images are thousands of them.
class Noise {
 public:
    explicit Noise(Rng rng) : rng_(rng) {}
    double next() {
        if (!half_left_) { bits_ = rng_.next(); }
        const auto half = static_cast<std::int32_t>(static_cast<std::uint32_t>(half_left_ ? bits_ >> 32 : bits_));
        half_left_ = !half_left_;
        return static_cast<double>(half) * 0x1p-31;
    }

 private:
    Rng rng_;
    std::uint64_t bits_ = 0;
    bool half_left_ = false;
};

/// A stream of its own for each sample, so that any sample is made at once.
Rng rng_of_sample(std::uint64_t stream, std::int64_t position) {
    return Rng(stream + 0x9e3779b97f4a7c15ULL * static_cast<std::uint64_t>(position));
}

constexpr double kSignal = 0.5;  ///< size of what can be learned, beside noise of size 1

class SyntheticDataset : public Dataset {
 public:
    SyntheticDataset(const SyntheticData& data, ModelInputs inputs, std::uint64_t seed)
        : data_(data), inputs_(std::move(inputs)), samples_stream_(Rng(seed).fork("synthetic samples").next()) {}

    std::int64_t samples() const override { return data_.samples; }
    bool token_inputs() const override { return inputs_.tokens; }
    std::vector<std::int64_t> input_shape() const override { return inputs_.shape; }

    void read(std::span<const std::int64_t> positions, Batch& out) const override {
        out.restart(positions.size(), inputs_.shape);
        for (const std::int64_t position : positions) {
            MEDLEY_ASSERT(position >= 0 && position < data_.samples);
            add_sample(position, rng_of_sample(samples_stream_, position), out);
        }
    }

 protected:
    virtual void add_sample(std::int64_t position, Rng rng, Batch& out) const = 0;
    const SyntheticData& data() const { return data_; }
    const ModelInputs& inputs() const { return inputs_; }

 private:
    SyntheticData data_;
    ModelInputs inputs_;
    std::uint64_t samples_stream_;
};

/// The part of a prototype that each element of a sample shows. Images have prototypes that are constant over a few squares of each
/// channel, so that convolution and pooling find them; elsewhere each element has a part of its own.
std::vector<std::size_t> prototype_parts(const std::vector<std::int64_t>& shape, std::int64_t elements) {
    constexpr std::int64_t kSquares = 4;  // along each side
    std::vector<std::size_t> parts;
    for (std::int64_t index = 0; index < elements; ++index) {
        if (shape.size() != 3) {
            parts.push_back(static_cast<std::size_t>(index));
            continue;
        }
        const std::int64_t pixel = index % (shape[1] * shape[2]);
        const std::int64_t row = pixel / shape[2] * kSquares / shape[1];
        const std::int64_t column = pixel % shape[2] * kSquares / shape[2];
        const std::int64_t channel = index / (shape[1] * shape[2]);
        parts.push_back(static_cast<std::size_t>((channel * kSquares + row) * kSquares + column));
    }
    return parts;
}

/// Each class has a prototype; a sample is its class's prototype under noise.
class SyntheticClasses final : public SyntheticDataset {
 public:
    SyntheticClasses(const SyntheticData& data, const ModelInputs& inputs, std::uint64_t seed)
        : SyntheticDataset(data, inputs, seed), parts_(prototype_parts(inputs.shape, inputs.elements())) {
        if (!parts_.empty()) { parts_per_class_ = parts_.back() + 1; }
        Noise noise(Rng(seed).fork("synthetic prototypes"));
        prototypes_.resize(static_cast<std::size_t>(inputs.outputs) * parts_per_class_);
        for (double& part : prototypes_) { part = kSignal * noise.next(); }
    }

 private:
    void add_sample(std::int64_t position, Rng rng, Batch& out) const override {
        const std::int64_t label = label_of(position, rng);
        const double* prototype = prototypes_.data() + static_cast<std::size_t>(label) * parts_per_class_;
        Noise noise(rng);
        for (const std::size_t part : parts_) { out.values.push_back(prototype[part] + noise.next()); }
        out.labels.push_back(label);
    }

    std::int64_t label_of(std::int64_t position, Rng& rng) const {
        const bool sorted = rng.chance(data().label_skew);
        const auto random = static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(inputs().outputs)));
        const double share = static_cast<double>(position) / static_cast<double>(samples());
        return sorted ? static_cast<std::int64_t>(share * static_cast<double>(inputs().outputs)) : random;
    }

    std::vector<std::size_t> parts_;
    std::size_t parts_per_class_ = 0;
    std::vector<double> prototypes_;
};

/// Targets are a fixed random linear map of the inputs.
class SyntheticRegression final : public SyntheticDataset {
 public:
    SyntheticRegression(const SyntheticData& data, const ModelInputs& inputs, std::uint64_t seed) : SyntheticDataset(data, inputs, seed) {
        Noise noise(Rng(seed).fork("synthetic teacher"));
        const double size = std::sqrt(3.0 / static_cast<double>(inputs.elements()));
        teacher_.resize(static_cast<std::size_t>(inputs.outputs * inputs.elements()));
        for (double& weight : teacher_) { weight = size * noise.next(); }
    }

 private:
    void add_sample(std::int64_t, Rng rng, Batch& out) const override {
        const std::int64_t elements = inputs().elements();
        const std::size_t first = out.values.size();
        Noise noise(rng);
        for (std::int64_t index = 0; index < elements; ++index) { out.values.push_back(noise.next()); }
        for (std::int64_t output = 0; output < inputs().outputs; ++output) {
            const double* weights = teacher_.data() + output * elements;
            double target = 0;
            for (std::int64_t index = 0; index < elements; ++index) {
                target += weights[index] * out.values[first + static_cast<std::size_t>(index)];
            }
            out.real_targets.push_back(target);
        }
    }

    std::vector<double> teacher_;
};

/// Each token has a few likely successors; now and then any token follows. Targets are the next tokens.
class SyntheticTokens final : public SyntheticDataset {
 public:
    SyntheticTokens(const SyntheticData& data, const ModelInputs& inputs, std::uint64_t seed) : SyntheticDataset(data, inputs, seed) {
        Rng rng = Rng(seed).fork("synthetic chain");
        successors_.resize(static_cast<std::size_t>(inputs.outputs * kSuccessors));
        for (std::int64_t& successor : successors_) { successor = any_token(rng); }
    }

 private:
    static constexpr std::int64_t kSuccessors = 4;
    static constexpr double kSurprise = 0.1;

    void add_sample(std::int64_t, Rng rng, Batch& out) const override {
        const std::int64_t sequence = inputs().elements();
        const std::int64_t length = data().ragged ? rng.between((sequence + 3) / 4, sequence) : sequence;
        std::int64_t token = any_token(rng);
        for (std::int64_t index = 0; index < sequence; ++index) {
            if (index >= length) {
                out.tokens.push_back(0);
                out.labels.push_back(kIgnoredLabel);
                continue;
            }
            const std::int64_t next = successor(token, rng);
            out.tokens.push_back(token);
            out.labels.push_back(next);
            token = next;
        }
    }

    std::int64_t successor(std::int64_t token, Rng& rng) const {
        if (rng.chance(kSurprise)) { return any_token(rng); }
        return successors_[static_cast<std::size_t>(token * kSuccessors + static_cast<std::int64_t>(rng.below(kSuccessors)))];
    }

    std::int64_t any_token(Rng& rng) const { return static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(inputs().outputs))); }

    std::vector<std::int64_t> successors_;
};

}  // namespace

std::unique_ptr<Dataset> make_synthetic_classes(const SyntheticData& data, const ModelInputs& inputs, std::uint64_t seed) {
    return std::make_unique<SyntheticClasses>(data, inputs, seed);
}

std::unique_ptr<Dataset> make_synthetic_regression(const SyntheticData& data, const ModelInputs& inputs, std::uint64_t seed) {
    return std::make_unique<SyntheticRegression>(data, inputs, seed);
}

std::unique_ptr<Dataset> make_synthetic_tokens(const SyntheticData& data, const ModelInputs& inputs, std::uint64_t seed) {
    return std::make_unique<SyntheticTokens>(data, inputs, seed);
}

}  // namespace medley::executor
