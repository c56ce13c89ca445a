#include "executor/engines/torch/torch_engine.h"

#include <utility>

#include <fmt/format.h>

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include "core/error.h"
#include "core/rng.h"
#include "executor/engines/torch/autocast.h"
#include "executor/engines/torch/batch_tensors.h"
#include "executor/engines/torch/devices.h"
#include "executor/engines/torch/learning_rate.h"
#include "executor/engines/torch/live_bytes.h"
#include "executor/engines/torch/torch_errors.h"

namespace medley::executor {
namespace {

at::TensorOptions options_for(const EngineSetup& setup) {
    configure_torch();
    const c10::Device device = require_device(setup.device);
    if (setup.job.precision == Precision::kFp16 && !device.is_cuda()) {
        refuse_value("precision", "fp16", "fp32, fp64 or bf16 on a processor (fp16 needs a GPU)");
    }
    return at::TensorOptions().device(device).dtype(setup.job.precision == Precision::kFp64 ? at::kDouble : at::kFloat);
}

bool dynamic_scale(const TrainingJob& job) { return job.loss_scale == 0; }

// How many threads an operation uses is a setting of the calling thread, which may not be the one that built the engine.
void use_one_thread() { at::set_num_threads(1); }

std::string bytes_of(const at::Tensor& tensor) { return {static_cast<const char*>(tensor.data_ptr()), tensor.nbytes()}; }

}  // namespace

TorchEngine::TorchEngine(const EngineSetup& setup)
    : setup_(setup),
      options_(options_for(setup)),
      dataset_(make_dataset(setup.job)),
      model_(make_model(setup.job, options_)),
      parameters_(model_.parameters, options_),
      statistics_(model_.buffers, options_),
      update_state_(first_update_state(setup.job.loss_scale)) {
    if (!setup.inference) { make_training_parts(); }
    list_state();
}

void TorchEngine::make_training_parts() {
    if (parameters_.empty()) { throw Error("the model has no parameter to train (none requires a gradient)"); }
    optimizer_ = std::make_unique<FlatOptimizer>(setup_.job.optimizer, parameters_.flat());
    reduction_ = std::make_unique<Reduction>(ReductionSetup{.gradients = parameters_.stretches(),
                                                            .statistics = statistics_.stretches(),
                                                            .options = options_,
                                                            .exact = setup_.exact,
                                                            .addends = setup_.virtual_nodes.size(),
                                                            .device_reduction = setup_.device_reduction});
    parameters_.attach_gradients(reduction_->gradients());
}

void TorchEngine::list_state() {
    const auto add = [this](const NamedTensor& part) { sections_.push_back({part.name, HostCopy(part.tensor)}); };
    add({"parameters", parameters_.flat()});
    for (const NamedTensor& part : statistics_.state()) { add(part); }
    if (!optimizer_) { return; }
    for (const NamedTensor& slot : optimizer_->slots()) { add(slot); }
}

Reduction& TorchEngine::training() {
    MEDLEY_ASSERT(reduction_ != nullptr);
    return *reduction_;
}

std::string TorchEngine::device_name() const { return name_of(options_.device()); }

const std::vector<ReducedTensor>& TorchEngine::reduced_tensors() const {
    static const std::vector<ReducedTensor> none;
    return reduction_ ? reduction_->tensors() : none;
}

void TorchEngine::begin_step(const StepContext& context) {
    with_torch_errors([&] {
        use_one_thread();
        step_ = context.step;
        training().begin(context.fixed_point_exponents);
        statistics_.begin_step();
    });
}

std::uint64_t TorchEngine::chance_seed(const NodeWork& work) const {
    return Rng(setup_.job.seed).fork("chance").fork(fmt::format("{}/{}", work.step, work.virtual_node)).next();
}

NodeResult TorchEngine::run_node(const NodeWork& work) {
    return with_torch_errors([&] { return train_on(work); });
}

NodeResult TorchEngine::train_on(const NodeWork& work) {
    dataset_->read(work.samples, batch_);
    model_.seed_chance(chance_seed(work));
    training().begin_node();
    at::Tensor loss;
    {
        const Autocast autocast(options_.device(), setup_.job.precision);
        const at::Tensor outputs = model_.forward(input_tensor(batch_, options_)).to(options_.dtype());
        loss = summed_loss(setup_.job.loss, outputs, target_tensor(batch_, options_));
    }
    update_state_.loss_scale == 1 ? loss.backward() : loss.mul(update_state_.loss_scale).backward();
    const std::int64_t weight = weight_of(batch_);
    training().add_node(statistics_.take_changes(weight));
    return {.loss_sum = loss.item<double>(), .weight = weight};
}

Buffer TorchEngine::reduction() {
    return with_torch_errors([&] { return training().buffer(); });
}

FixedPointStatus TorchEngine::fixed_point_status() const { return reduction_ ? reduction_->status() : FixedPointStatus{}; }

Buffer TorchEngine::non_finite_marks() {
    return with_torch_errors([&] { return training().marks(); });
}

Applied TorchEngine::apply(std::int64_t total_weight) {
    return with_torch_errors([&] { return update(total_weight); });
}

Applied TorchEngine::update(std::int64_t total_weight) {
    // A step in which nothing counts has a gradient of zero, not 0/0.
    const double weight = total_weight > 0 ? static_cast<double>(total_weight) : 1;
    const bool dynamic = dynamic_scale(setup_.job);
    const Reduction::Sums sums = training().take();
    const UpdateScale scale{.divisor = weight * update_state_.loss_scale,
                            .clip_norm = setup_.job.optimizer.clip_norm,
                            .learning_rate = learning_rate(setup_.job, step_),
                            .need_finite = dynamic};
    const UpdateOutcome outcome = optimizer_->update(parameters_.flat(), sums.gradients, scale, update_state_.updates);
    if (!outcome.skipped) { statistics_.apply(sums.statistics, weight); }
    count_step(update_state_, outcome.skipped, dynamic);
    return {.skipped = outcome.skipped, .gradient_norm = outcome.gradient_norm};
}

at::Tensor TorchEngine::outputs_of(const NodeWork& work) {
    const at::NoGradGuard no_gradient;
    use_one_thread();
    dataset_->read(work.samples, batch_);
    model_.set_training(false);
    const Autocast autocast(options_.device(), setup_.job.precision);
    const at::Tensor outputs = model_.forward(input_tensor(batch_, options_)).to(options_.device(at::kCPU)).contiguous();
    model_.set_training(true);
    return outputs;
}

std::string TorchEngine::predict(const NodeWork& work) {
    return with_torch_errors([&] { return bytes_of(outputs_of(work)); });
}

std::vector<std::int64_t> TorchEngine::output_shape() {
    return with_torch_errors([&] {
        constexpr std::int64_t kFirst = 0;
        const at::Tensor outputs = outputs_of({.samples = {&kFirst, 1}});
        return outputs.sizes().slice(1).vec();
    });
}

std::vector<StateSection> TorchEngine::state() {
    return with_torch_errors([&] {
        std::vector<StateSection> state;
        for (Section& section : sections_) { state.push_back({section.name, section.copy.fetch()}); }
        state.push_back({"updates", std::as_writable_bytes(std::span(&update_state_, 1))});
        return state;
    });
}

void TorchEngine::state_changed() {
    with_torch_errors([&] {
        for (Section& section : sections_) { section.copy.store(); }
    });
}

void TorchEngine::initialise() {
    with_torch_errors([&] {
        const Model fresh = make_model(setup_.job, options_);
        parameters_.assign(fresh.parameters);
        statistics_.assign(fresh.buffers);
        if (optimizer_) { optimizer_->reset(); }
        update_state_ = first_update_state(setup_.job.loss_scale);
    });
}

std::int64_t TorchEngine::take_peak_bytes() { return take_peak_tensor_bytes(options_.device()); }

}  // namespace medley::executor
