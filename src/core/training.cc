#include "core/training.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "core/error.h"

namespace medley {
namespace {

// Far beyond any model; keeps products of two sizes within 64 bits.
constexpr std::int64_t kMostUnits = 100'000'000;
constexpr std::int64_t kMostSteps = 1'000'000'000'000;
constexpr std::int64_t kMostSamples = 1'000'000'000'000;
constexpr std::size_t kMostLayers = 10'000;
constexpr std::size_t kLongestName = 200;

void require_whole(std::string_view place, std::int64_t value, std::int64_t least, std::int64_t most) {
    if (value >= least && value <= most) { return; }
    refuse_value(std::string(place), fmt::format("{}", value), fmt::format("a whole number from {} to {}", least, most));
}

void require_size(std::string_view place, std::int64_t value) { require_whole(place, value, 1, kMostUnits); }

void require_sizes(const std::string& place, const std::vector<std::int64_t>& values) {
    if (values.size() > kMostLayers) {
        refuse_value(place, fmt::format("{} of them", values.size()), fmt::format("at most {}", kMostLayers));
    }
    for (std::size_t index = 0; index < values.size(); ++index) { require_size(fmt::format("{}[{}]", place, index), values[index]); }
}

void require_at_least_zero(std::string_view place, double value) {
    if (value >= 0 && std::isfinite(value)) { return; }
    refuse_value(std::string(place), fmt::format("{}", value), "a finite number of at least 0");
}

void require_above_zero(std::string_view place, double value) {
    if (value > 0 && std::isfinite(value)) { return; }
    refuse_value(std::string(place), fmt::format("{}", value), "a finite number above 0");
}

/// In [0, 1), or [0, 1] where the whole is meaningful.
void require_fraction(std::string_view place, double value, bool one_too = false) {
    if (value >= 0 && (value < 1 || (one_too && value == 1))) { return; }
    refuse_value(std::string(place), fmt::format("{}", value), one_too ? "a number from 0 to 1" : "a number of at least 0 and below 1");
}

void validate_model(const MlpModel& model) {
    require_size("model.inputs", model.inputs);
    require_sizes("model.hidden", model.hidden);
    require_size("model.outputs", model.outputs);
    require_fraction("model.dropout", model.dropout);
}

void validate_model(const CnnModel& model) {
    require_size("model.channels", model.channels);
    require_size("model.size", model.size);
    if (model.filters.empty()) { refuse_value("model.filters", "an empty list", "at least one number of filters"); }
    require_sizes("model.filters", model.filters);
    // Each layer halves the image.
    const auto halvings = std::min<std::size_t>(model.filters.size(), 62);
    if (model.filters.size() > 62 || model.size >> halvings == 0) {
        refuse_value("model.size", fmt::format("{}", model.size),
                     fmt::format("at least 2^{}, halved by each entry of filters", model.filters.size()));
    }
    require_size("model.classes", model.classes);
    require_fraction("model.dropout", model.dropout);
}

void validate_model(const ResnetModel& model) {
    if (model.depth != 18 && model.depth != 50) {
        refuse_value("model.type", fmt::format("resnet{}", model.depth), "resnet18 or resnet50");
    }
    require_whole("model.size", model.size, 8, kMostUnits);
    require_size("model.classes", model.classes);
}

void validate_model(const GptModel& model) {
    require_whole("model.vocabulary", model.vocabulary, 2, kMostUnits);
    require_whole("model.sequence", model.sequence, 2, kMostUnits);
    require_size("model.layers", model.layers);
    require_size("model.hidden", model.hidden);
    require_size("model.heads", model.heads);
    if (model.hidden % model.heads != 0) {
        refuse_value("model.heads", fmt::format("{}", model.heads), fmt::format("a divisor of hidden, {}", model.hidden));
    }
    require_fraction("model.dropout", model.dropout);
}

void validate_model(const TorchScriptModel& model) {
    if (model.file.empty()) { refuse_value("model.file", "", "a TorchScript file"); }
    require_sizes("model.input_shape", model.input_shape);
    require_size("model.classes", model.classes);
}

void validate_model(const EmulatedModel& model) {
    require_at_least_zero("model.seconds_per_sample", model.seconds_per_sample);
    require_at_least_zero("model.time_scale", model.time_scale);
    require_size("model.parameters", model.parameters);
}

void validate_data(const SyntheticData& data) {
    require_whole("data.samples", data.samples, 1, kMostSamples);
    require_fraction("data.label_skew", data.label_skew, true);
}

void validate_data(const ArrayData& data) {
    if (data.inputs.empty()) { refuse_value("data.inputs", "", "a .npy file"); }
}

void validate_data(const TokenData& data) {
    if (data.tokens.empty()) { refuse_value("data.tokens", "", "a .npy file"); }
}

bool takes_tokens(const ModelSpec& model) {
    if (const auto* script = std::get_if<TorchScriptModel>(&model)) { return script->token_inputs; }
    return std::holds_alternative<GptModel>(model);
}

/// What can each be right and yet not go together.
void validate_together(const TrainingJob& job) {
    const bool tokens = takes_tokens(job.model);
    const std::string type = model_type(job.model);
    const auto* synthetic = std::get_if<SyntheticData>(&job.data);
    if (synthetic != nullptr && synthetic->ragged && !tokens) {
        refuse_value("data.ragged", "true", fmt::format("a model that takes tokens, which {} does not", type));
    }
    if (std::holds_alternative<TokenData>(job.data) && !tokens) {
        refuse_value("data.type", "tokens", fmt::format("a model that takes tokens, which {} does not", type));
    }
    if (synthetic == nullptr && std::holds_alternative<EmulatedModel>(job.model)) {
        refuse_value("data.type", std::holds_alternative<TokenData>(job.data) ? "tokens" : "arrays",
                     "synthetic: an emulated model reads no data");
    }
    if (tokens && job.loss == LossKind::kMeanSquaredError) {
        refuse_value("loss", "mean-squared-error", fmt::format("cross-entropy, since {} predicts tokens", type));
    }
}

void validate_optimizer(const OptimizerSpec& optimizer) {
    require_above_zero("optimizer.learning_rate", optimizer.learning_rate);
    require_fraction("optimizer.momentum", optimizer.momentum);
    if (optimizer.nesterov && optimizer.momentum == 0) { refuse_value("optimizer.nesterov", "true", "a momentum above 0 beside it"); }
    require_fraction("optimizer.beta1", optimizer.beta1);
    require_fraction("optimizer.beta2", optimizer.beta2);
    require_above_zero("optimizer.epsilon", optimizer.epsilon);
    require_at_least_zero("optimizer.weight_decay", optimizer.weight_decay);
    require_at_least_zero("optimizer.clip_norm", optimizer.clip_norm);
}

void validate_name(const std::string& name) {
    if (name.empty()) { refuse_value("name", "", "a name"); }
    const auto unfit = [](char c) { return c == '/' || static_cast<unsigned char>(c) < 0x20; };
    if (name.size() > kLongestName || name.front() == '.' || std::any_of(name.begin(), name.end(), unfit)) {
        refuse_value("name", name, fmt::format("at most {} characters, no '/' and no '.' in front: it names a folder", kLongestName));
    }
}

}  // namespace

void TrainingJob::validate() const {
    validate_name(name);
    std::visit([](const auto& spec) { validate_model(spec); }, model);
    std::visit([](const auto& spec) { validate_data(spec); }, data);
    validate_together(*this);
    validate_optimizer(optimizer);
    require_whole("schedule.warmup_steps", schedule.warmup_steps, 0, kMostSteps);
    require_fraction("schedule.final_fraction", schedule.final_fraction, true);
    require_at_least_zero("loss_scale", loss_scale);
    require_whole("steps", steps, 1, kMostSteps);
    require_whole("checkpoint.every_steps", checkpoint.every_steps, 0, kMostSteps);
    require_whole("checkpoint.keep", checkpoint.keep, 1, 1000);
}

std::string model_type(const ModelSpec& model) {
    if (const auto* resnet = std::get_if<ResnetModel>(&model)) { return fmt::format("resnet{}", resnet->depth); }
    static constexpr std::array<const char*, std::variant_size_v<ModelSpec>> kTypes = {"mlp", "cnn",         "resnet",
                                                                                       "gpt", "torchscript", "emulated"};
    return kTypes[model.index()];
}

}  // namespace medley
