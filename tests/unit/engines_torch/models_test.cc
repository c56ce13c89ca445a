#include <gtest/gtest.h>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linspace.h>

#include "core/error.h"
#include "executor/engines/torch/flat_tensors.h"
#include "executor/engines/torch/model.h"

namespace medley::executor {
namespace {

at::TensorOptions floats() { return at::TensorOptions().dtype(at::kFloat); }

Model model_of(ModelSpec spec, std::uint64_t seed = 1) { return make_model({.model = std::move(spec), .seed = seed}, floats()); }

std::int64_t parameters_of(const Model& model) {
    std::int64_t count = 0;
    for (const NamedTensor& parameter : model.parameters) { count += parameter.tensor.numel(); }
    return count;
}

at::Tensor images(std::int64_t samples, std::int64_t channels, std::int64_t size) {
    return at::linspace(-1, 1, samples * channels * size * size, floats()).view({samples, channels, size, size});
}

at::Tensor forward(const Model& model, const at::Tensor& inputs) {
    const at::NoGradGuard no_gradient;
    return model.forward(inputs);
}

TEST(Models, ResnetsHaveThePublishedNumberOfParameters) {
    EXPECT_EQ(parameters_of(model_of(ResnetModel{.depth = 18, .size = 32, .classes = 10})), 11173962);
    EXPECT_EQ(parameters_of(model_of(ResnetModel{.depth = 50, .size = 224, .classes = 1000})), 25557032);
}

TEST(Models, ResnetsGiveOneNumberPerClassForSmallAndLargeImages) {
    for (const std::int64_t size : {32, 96}) {
        const at::Tensor outputs = forward(model_of(ResnetModel{.depth = 18, .size = size, .classes = 7}), images(2, 3, size));
        EXPECT_EQ(outputs.sizes().vec(), (std::vector<std::int64_t>{2, 7}));
    }
}

TEST(Models, AResnetOfAnotherDepthIsRefused) { EXPECT_THROW(model_of(ResnetModel{.depth = 34}), Error); }

TEST(Models, AGptHasAsManyParametersAsItsFormulaSays) {
    const std::int64_t h = 24;
    const GptModel spec{.vocabulary = 50, .sequence = 12, .layers = 3, .hidden = h, .heads = 4};
    EXPECT_EQ(parameters_of(model_of(spec)), (50 + 12 + 2) * h + 3 * (12 * h * h + 13 * h));
}

TEST(Models, AGptSeesNoTokenBeforeItsTurn) {
    const Model model = model_of(GptModel{.vocabulary = 20, .sequence = 10, .layers = 2, .hidden = 16, .heads = 2});
    const at::Tensor tokens = at::arange(10, at::kLong).view({1, 10});
    const at::Tensor changed = tokens.clone();
    changed.narrow(1, 6, 1).fill_(19);
    const at::Tensor before = forward(model, tokens);
    const at::Tensor after = forward(model, changed);
    EXPECT_EQ(before.sizes().vec(), (std::vector<std::int64_t>{1, 10, 20}));
    EXPECT_TRUE(before.narrow(1, 0, 6).equal(after.narrow(1, 0, 6)));
    for (std::int64_t place = 6; place < 10; ++place) { EXPECT_FALSE(before.select(1, place).equal(after.select(1, place))) << place; }
}

TEST(Models, AGptWhoseHeadsDoNotDivideItsWidthIsRefused) { EXPECT_THROW(model_of(GptModel{.hidden = 30, .heads = 4}), Error); }

TEST(Models, ACnnWithoutBatchNormHasNoStatistics) {
    EXPECT_TRUE(model_of(CnnModel{.batch_norm = false}).buffers.empty());
    EXPECT_EQ(model_of(CnnModel{.filters = {4, 4}}).buffers.size(), 4U);
}

TEST(Models, ACnnTakesImagesSmallerThanItsPoolings) {
    const Model model = model_of(CnnModel{.channels = 1, .size = 5, .filters = {2, 2, 2, 2}, .classes = 3});
    EXPECT_EQ(forward(model, images(2, 1, 5)).sizes().vec(), (std::vector<std::int64_t>{2, 3}));
}

TEST(Models, TheSeedFixesTheParameters) {
    const Model first = model_of(MlpModel{}, 5);
    const Model second = model_of(MlpModel{}, 5);
    const Model other = model_of(MlpModel{}, 6);
    for (std::size_t i = 0; i < first.parameters.size(); ++i) {
        EXPECT_TRUE(first.parameters[i].tensor.equal(second.parameters[i].tensor));
        EXPECT_FALSE(first.parameters[i].tensor.equal(other.parameters[i].tensor));
    }
}

TEST(Models, DropoutComesFromTheSeedOfChanceAndIsOffInInference) {
    const Model model = model_of(MlpModel{.inputs = 4, .hidden = {64}, .outputs = 2, .dropout = 0.5});
    const at::Tensor inputs = at::full({3, 4}, 0.7, floats());
    const auto outputs_with = [&](std::uint64_t seed) {
        model.seed_chance(seed);
        return forward(model, inputs);
    };
    EXPECT_TRUE(outputs_with(1).equal(outputs_with(1)));
    EXPECT_FALSE(outputs_with(1).equal(outputs_with(2)));
    model.set_training(false);
    EXPECT_TRUE(outputs_with(1).equal(outputs_with(2)));
}

TEST(Models, DropoutKeepsTheMean) {
    const Model model = model_of(MlpModel{.inputs = 4, .hidden = {4096}, .outputs = 1, .dropout = 0.25});
    const at::Tensor inputs = at::full({64, 4}, 0.7, floats());
    const double dropped = forward(model, inputs).mean().item<double>();
    model.set_training(false);
    EXPECT_NEAR(dropped, forward(model, inputs).mean().item<double>(), 0.05);
}

TEST(FlatTensors, HoldTheModelsOwnParameters) {
    const Model model = model_of(MlpModel{.inputs = 3, .hidden = {5}, .outputs = 2});
    const at::Tensor inputs = at::full({1, 3}, 0.5, floats());
    const at::Tensor before = forward(model, inputs);
    FlatTensors flat(model.parameters, floats());
    EXPECT_TRUE(forward(model, inputs).equal(before));
    flat.flat().zero_();
    EXPECT_EQ(forward(model, inputs).abs().sum().item<double>(), 0);
}

TEST(FlatTensors, BeginEachTensorOnABoundaryOf64Bytes) {
    const Model model = model_of(MlpModel{.inputs = 3, .hidden = {5}, .outputs = 2});
    const FlatTensors flat(model.parameters, floats());
    std::int64_t end = 0;
    for (const Stretch& stretch : flat.stretches()) {
        EXPECT_EQ(stretch.offset, end);
        EXPECT_EQ(stretch.offset % 16, 0);
        end += stretch.elements;
    }
    EXPECT_EQ(end, flat.elements());
    for (const NamedTensor& parameter : model.parameters) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(parameter.tensor.data_ptr()) % 64, 0U) << parameter.name;
    }
}

}  // namespace
}  // namespace medley::executor
