#include "tests/unit/engines_torch/plain_loop.h"

#include <torch/torch.h>

#include "executor/data/dataset.h"
#include "executor/engines/torch/batch_tensors.h"
#include "executor/engines/torch/devices.h"
#include "executor/engines/torch/model.h"

namespace medley::executor {
namespace {

torch::TensorOptions options_of(const TrainingJob& job) {
    return torch::TensorOptions().dtype(job.precision == Precision::kFp64 ? torch::kDouble : torch::kFloat);
}

std::vector<torch::Tensor> tensors_of(const Model& model) {
    std::vector<torch::Tensor> tensors;
    for (const NamedTensor& parameter : model.parameters) { tensors.push_back(parameter.tensor); }
    return tensors;
}

std::unique_ptr<torch::optim::Optimizer> optimizer_of(const OptimizerSpec& spec, const std::vector<torch::Tensor>& parameters) {
    if (spec.kind == OptimizerKind::kSgd) {
        return std::make_unique<torch::optim::SGD>(parameters, torch::optim::SGDOptions(spec.learning_rate).momentum(spec.momentum));
    }
    return std::make_unique<torch::optim::Adam>(parameters, torch::optim::AdamOptions(spec.learning_rate));
}

}  // namespace

struct PlainLoop::Parts {
    TrainingJob job;
    std::unique_ptr<Dataset> dataset;
    Model model;
    std::vector<torch::Tensor> parameters;
    std::unique_ptr<torch::optim::Optimizer> optimizer;
    Batch batch;
};

PlainLoop::PlainLoop(const TrainingJob& job) : parts_(std::make_unique<Parts>()) {
    configure_torch();
    parts_->job = job;
    parts_->dataset = make_dataset(job);
    parts_->model = make_model(job, options_of(job));
    parts_->parameters = tensors_of(parts_->model);
    parts_->optimizer = optimizer_of(job.optimizer, parts_->parameters);
}

PlainLoop::~PlainLoop() = default;

double PlainLoop::step(std::span<const std::int64_t> samples) {
    parts_->dataset->read(samples, parts_->batch);
    const torch::TensorOptions options = options_of(parts_->job);
    parts_->optimizer->zero_grad();
    const torch::Tensor outputs = parts_->model.forward(input_tensor(parts_->batch, options));
    const torch::Tensor loss =
        summed_loss(parts_->job.loss, outputs, target_tensor(parts_->batch, options)).div(static_cast<double>(weight_of(parts_->batch)));
    loss.backward();
    parts_->optimizer->step();
    return loss.item<double>();
}

std::int64_t PlainLoop::parameter_bytes() const {
    std::int64_t bytes = 0;
    for (const torch::Tensor& parameter : parts_->parameters) { bytes += static_cast<std::int64_t>(parameter.nbytes()); }
    return bytes;
}

}  // namespace medley::executor
