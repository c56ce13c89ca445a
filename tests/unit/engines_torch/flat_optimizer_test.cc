// The flat optimizer follows torch::optim step by step.

#include <cmath>

#include <gtest/gtest.h>

#include <torch/torch.h>

#include "executor/engines/torch/flat_optimizer.h"

namespace medley::executor {
namespace {

constexpr std::int64_t kElements = 40000;  // more than one piece
constexpr int kFlatSteps = 50;
constexpr double kRate = 0.01;
constexpr double kWeight = 24;

struct Case {
    const char* name;
    OptimizerSpec spec;
};

std::vector<Case> cases() {
    using Kind = OptimizerKind;
    return {{"sgd", {.kind = Kind::kSgd}},
            {"sgd_momentum", {.kind = Kind::kSgd, .momentum = 0.9, .weight_decay = 0.01}},
            {"sgd_nesterov", {.kind = Kind::kSgd, .momentum = 0.9, .nesterov = true, .weight_decay = 0.01}},
            {"sgd_clipped", {.kind = Kind::kSgd, .momentum = 0.5, .clip_norm = 1}},
            {"adam", {.kind = Kind::kAdam}},
            {"adam_decay", {.kind = Kind::kAdam, .beta1 = 0.8, .beta2 = 0.99, .epsilon = 1e-6, .weight_decay = 0.1}},
            {"adamw", {.kind = Kind::kAdamW, .weight_decay = 0.1, .clip_norm = 0.5}}};
}

std::unique_ptr<torch::optim::Optimizer> reference(const OptimizerSpec& spec, const torch::Tensor& parameters) {
    const std::vector<torch::Tensor> list = {parameters};
    if (spec.kind == OptimizerKind::kSgd) {
        const auto options =
            torch::optim::SGDOptions(kRate).momentum(spec.momentum).weight_decay(spec.weight_decay).nesterov(spec.nesterov);
        return std::make_unique<torch::optim::SGD>(list, options);
    }
    const std::tuple<double, double> betas = {spec.beta1, spec.beta2};
    if (spec.kind == OptimizerKind::kAdam) {
        const auto options = torch::optim::AdamOptions(kRate).betas(betas).eps(spec.epsilon).weight_decay(spec.weight_decay);
        return std::make_unique<torch::optim::Adam>(list, options);
    }
    const auto options = torch::optim::AdamWOptions(kRate).betas(betas).eps(spec.epsilon).weight_decay(spec.weight_decay);
    return std::make_unique<torch::optim::AdamW>(list, options);
}

class FlatOptimizerSteps : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(Kinds, FlatOptimizerSteps, testing::ValuesIn(cases()), [](const auto& test) { return test.param.name; });

TEST_P(FlatOptimizerSteps, FollowTorchOptim) {
    const OptimizerSpec& spec = GetParam().spec;
    torch::manual_seed(1);
    const torch::Tensor ours = torch::randn({kElements});
    const torch::Tensor theirs = ours.clone().set_requires_grad(true);
    FlatOptimizer optimizer(spec, ours);
    const auto torch_optimizer = reference(spec, theirs);
    for (int step = 0; step < kFlatSteps; ++step) {
        const torch::Tensor gradients = torch::randn({kElements});
        theirs.mutable_grad() = gradients / kWeight;
        if (spec.clip_norm > 0) { torch::nn::utils::clip_grad_norm_({theirs}, spec.clip_norm); }
        torch_optimizer->step();
        const UpdateScale scale{.divisor = kWeight, .clip_norm = spec.clip_norm, .learning_rate = kRate};
        EXPECT_FALSE(optimizer.update(ours, gradients, scale, step).skipped);
    }
    const double distance = (ours - theirs.detach()).norm().item<double>() / theirs.detach().norm().item<double>();
    EXPECT_LE(distance, 1e-6);
    EXPECT_GT((ours - torch::zeros_like(ours)).norm().item<double>(), 1);
}

TEST(FlatOptimizer, TellsTheNormBeforeClipping) {
    const torch::Tensor parameters = torch::zeros({4});
    FlatOptimizer optimizer({.kind = OptimizerKind::kSgd}, parameters);
    const UpdateScale scale{.divisor = 2, .clip_norm = 1, .learning_rate = 1};
    EXPECT_NEAR(optimizer.update(parameters, torch::full({4}, 6.0F), scale, 0).gradient_norm, 6, 1e-12);
    EXPECT_NEAR(parameters.norm().item<double>(), 1, 1e-5);
}

TEST(FlatOptimizer, SkipsAnUpdateThatIsNotFiniteWhenAsked) {
    const torch::Tensor parameters = torch::ones({4});
    FlatOptimizer optimizer({.kind = OptimizerKind::kAdam}, parameters);
    const torch::Tensor gradients = torch::tensor({1.0F, std::nanf(""), 2.0F, 3.0F});
    EXPECT_TRUE(optimizer.update(parameters, gradients, {.learning_rate = 1, .need_finite = true}, 0).skipped);
    EXPECT_TRUE(parameters.equal(torch::ones({4})));
    EXPECT_EQ(optimizer.slots()[0].tensor.abs().sum().item<double>(), 0);
}

TEST(FlatOptimizer, SumsTheNormInDouble) {
    // In float the small squares vanish beside the large one.
    const torch::Tensor values = torch::full({1 << 20}, 1e-4F);
    values[0] = 1;
    EXPECT_NEAR(norm_in_double(values), std::sqrt(1 + ((1 << 20) - 1) * static_cast<double>(1e-4F) * static_cast<double>(1e-4F)), 1e-12);
}

}  // namespace
}  // namespace medley::executor
