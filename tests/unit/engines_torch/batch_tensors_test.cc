#include <cmath>

#include <gtest/gtest.h>

#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros.h>

#include "core/error.h"
#include "executor/engines/torch/batch_tensors.h"

namespace medley::executor {
namespace {

at::TensorOptions batch_floats() { return at::TensorOptions().dtype(at::kFloat); }

TEST(BatchTensors, InputsHaveTheSamplesShapeAndTheModelsPrecision) {
    const Batch batch{.samples = 2, .input_shape = {1, 3}, .values = {1, 2, 3, 4, 5, 6}, .labels = {0, 1}};
    const at::Tensor inputs = input_tensor(batch, batch_floats());
    EXPECT_EQ(inputs.sizes().vec(), (std::vector<std::int64_t>{2, 1, 3}));
    EXPECT_EQ(inputs.scalar_type(), at::kFloat);
    EXPECT_EQ(inputs.sum().item<double>(), 21);
}

TEST(BatchTensors, TokensStayWholeNumbers) {
    const Batch batch{.samples = 2, .input_shape = {3}, .tokens = {1, 2, 3, 4, 5, 6}, .labels = {2, 3, -100, 5, -100, -100}};
    EXPECT_EQ(input_tensor(batch, batch_floats()).scalar_type(), at::kLong);
    EXPECT_EQ(weight_of(batch), 3);
}

TEST(BatchTensors, WithoutLabelsSamplesCount) {
    const Batch batch{.samples = 2, .input_shape = {1}, .values = {1, 2}, .real_targets = {1, 2}};
    EXPECT_EQ(weight_of(batch), 2);
}

TEST(SummedLoss, OfCrossEntropyLeavesOutWhatDoesNotCount) {
    const at::Tensor outputs = at::zeros({3, 4});
    const at::Tensor labels = at::zeros({3}, at::kLong);
    EXPECT_NEAR(summed_loss(LossKind::kCrossEntropy, outputs, labels).item<double>(), 3 * std::log(4.0), 1e-6);
    labels.narrow(0, 1, 2).fill_(-100);
    EXPECT_NEAR(summed_loss(LossKind::kCrossEntropy, outputs, labels).item<double>(), std::log(4.0), 1e-6);
}

TEST(SummedLoss, OfSquaredErrorsIsAveragedOverOutputsAndSummedOverSamples) {
    const at::Tensor outputs = at::zeros({2, 4});
    const at::Tensor targets = at::zeros({8}).add_(3);
    EXPECT_EQ(summed_loss(LossKind::kMeanSquaredError, outputs, targets).item<double>(), 18);
}

TEST(SummedLoss, RefusesTargetsOfAnotherSize) {
    EXPECT_THROW(summed_loss(LossKind::kCrossEntropy, at::zeros({3, 4}), at::zeros({4}, at::kLong)), Error);
    EXPECT_THROW(summed_loss(LossKind::kMeanSquaredError, at::zeros({3, 4}), at::zeros({4})), Error);
}

}  // namespace
}  // namespace medley::executor
