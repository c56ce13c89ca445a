#pragma once
/// The engine that computes: LibTorch on a processor or a GPU, by one code path.
///
/// Parameters, gradients, optimizer slots and statistics are flat tensors, so the reduction is one buffer, the state a few large sections
/// and the update a few operations. Memory: parameters, slots, one gradient buffer, activations of one virtual node.

#include <memory>
#include <string>
#include <vector>

#include "executor/data/dataset.h"
#include "executor/engines/engine.h"
#include "executor/engines/torch/flat_optimizer.h"
#include "executor/engines/torch/flat_tensors.h"
#include "executor/engines/torch/host_copy.h"
#include "executor/engines/torch/loss_scale.h"
#include "executor/engines/torch/model.h"
#include "executor/engines/torch/reduction.h"
#include "executor/engines/torch/statistics.h"

namespace medley::executor {

class TorchEngine final : public Engine {
 public:
    explicit TorchEngine(const EngineSetup& setup);

    std::string device_name() const override;
    const std::vector<ReducedTensor>& reduced_tensors() const override;
    std::int64_t samples() const override { return dataset_->samples(); }

    void begin_step(const StepContext& context) override;
    NodeResult run_node(const NodeWork& work) override;
    Buffer reduction() override;
    FixedPointStatus fixed_point_status() const override;
    Buffer non_finite_marks() override;
    Applied apply(std::int64_t total_weight) override;

    std::string predict(const NodeWork& work) override;
    std::vector<std::int64_t> output_shape() override;

    std::vector<StateSection> state() override;
    void state_changed() override;
    void initialise() override;

    std::int64_t take_peak_bytes() override;

 private:
    struct Section {
        std::string name;
        HostCopy copy;
    };

    Reduction& training();
    void make_training_parts();
    void list_state();
    NodeResult train_on(const NodeWork& work);
    Applied update(std::int64_t total_weight);
    at::Tensor outputs_of(const NodeWork& work);
    std::uint64_t chance_seed(const NodeWork& work) const;

    EngineSetup setup_;
    at::TensorOptions options_;
    std::unique_ptr<Dataset> dataset_;
    Model model_;
    FlatTensors parameters_;
    Statistics statistics_;
    std::unique_ptr<FlatOptimizer> optimizer_;  ///< as the reduction, only in training
    std::unique_ptr<Reduction> reduction_;
    UpdateState update_state_;
    std::vector<Section> sections_;
    Batch batch_;
    std::int64_t step_ = 0;
};

}  // namespace medley::executor
