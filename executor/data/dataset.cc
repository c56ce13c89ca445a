#include "executor/data/dataset.h"

#include <fmt/format.h>

#include "core/error.h"
#include "executor/data/datasets.h"

namespace medley::executor {
namespace {

void require_token_model(const TrainingJob& job, const ModelInputs& inputs) {
    if (inputs.tokens) { return; }
    refuse_value("data.type", "tokens", fmt::format("synthetic or arrays: the model {} does not take tokens", model_type(job.model)));
}

std::unique_ptr<Dataset> make_synthetic(const TrainingJob& job, const SyntheticData& data, const ModelInputs& inputs) {
    if (data.samples < 1) { refuse_value("data.samples", fmt::format("{}", data.samples), "at least 1"); }
    if (inputs.tokens) { return make_synthetic_tokens(data, inputs, job.seed); }
    if (job.loss == LossKind::kMeanSquaredError) { return make_synthetic_regression(data, inputs, job.seed); }
    return make_synthetic_classes(data, inputs, job.seed);
}

}  // namespace

void Batch::restart(std::size_t sample_count, const std::vector<std::int64_t>& shape) {
    samples = static_cast<std::int64_t>(sample_count);
    input_shape = shape;
    values.clear();
    tokens.clear();
    labels.clear();
    real_targets.clear();
}

std::unique_ptr<Dataset> make_dataset(const TrainingJob& job) {
    const ModelInputs inputs = inputs_of(job.model);
    if (const auto* arrays = std::get_if<ArrayData>(&job.data)) { return make_array_dataset(*arrays, inputs, job.loss); }
    if (const auto* tokens = std::get_if<TokenData>(&job.data)) {
        require_token_model(job, inputs);
        return make_token_dataset(*tokens, inputs);
    }
    return make_synthetic(job, std::get<SyntheticData>(job.data), inputs);
}

}  // namespace medley::executor
