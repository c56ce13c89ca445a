#include "tests/unit/engines_torch/torch_group.h"

#include <cmath>

#include "executor/engines/torch/torch_engine.h"

namespace medley::executor {
namespace {

template <class T>
std::vector<double> as_doubles(const Buffer& buffer) {
    const T* const first = static_cast<const T*>(buffer.data);
    return {first, first + buffer.elements};
}

}  // namespace

std::unique_ptr<Engine> make_linked_engine(const EngineSetup& setup) { return std::make_unique<TorchEngine>(setup); }

GroupSetup torch_group(const TrainingJob& job, const std::vector<std::int64_t>& virtual_nodes) {
    return {.job = job,
            .virtual_nodes = virtual_nodes,
            .mapping = one_worker(virtual_nodes.size()),
            .exact = false,
            .make = make_linked_engine};
}

TrainingJob mlp_job(Precision precision) {
    return {.name = "mlp",
            .model = MlpModel{.inputs = 16, .hidden = {32, 32}, .outputs = 5},
            .data = SyntheticData{.samples = 512, .label_skew = 1},
            .optimizer = {.learning_rate = 0.05, .momentum = 0.9},
            .precision = precision,
            .seed = 3};
}

TrainingJob gpt_job(Precision precision) {
    return {.name = "gpt",
            .model = GptModel{.vocabulary = 32, .sequence = 16, .layers = 2, .hidden = 32, .heads = 4},
            .data = SyntheticData{.samples = 512, .ragged = true},
            .optimizer = {.kind = OptimizerKind::kAdam, .learning_rate = 0.003},
            .precision = precision,
            .seed = 3};
}

std::vector<double> elements_of(const Buffer& buffer) {
    switch (buffer.type) {
        case ElementType::kFloat32: return as_doubles<float>(buffer);
        case ElementType::kFloat64: return as_doubles<double>(buffer);
        case ElementType::kInt64: return as_doubles<std::int64_t>(buffer);
    }
    return {};
}

double relative_distance(const std::vector<double>& a, const std::vector<double>& b) {
    double difference = 0;
    double size = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        difference += (a[i] - b[i]) * (a[i] - b[i]);
        size += b[i] * b[i];
    }
    return std::sqrt(difference / size);
}

}  // namespace medley::executor
