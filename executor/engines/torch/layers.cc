#include "executor/engines/torch/layers.h"

#include <cmath>
#include <utility>

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>

#include "core/rng.h"

namespace medley::executor {
namespace {

// Drawn in double on the host: the same numbers for every device and precision, up to rounding.
at::Tensor uniform_tensor(Rng rng, const Shape& shape, double bound) {
    at::Tensor values = at::empty(shape, at::TensorOptions().dtype(at::kDouble));
    double* const first = values.data_ptr<double>();
    for (std::int64_t i = 0; i < values.numel(); ++i) { first[i] = rng.uniform(-bound, bound); }
    return values;
}

// A generator of the device's kind that nobody else draws from.
at::Generator own_generator(const at::TensorOptions& options) { return at::globalContext().defaultGenerator(options.device()).clone(); }

at::Tensor convolve(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias, const Convolution& shape) {
    const std::int64_t padding = shape.kernel / 2;
    return at::conv2d(input, weight, bias, {shape.stride, shape.stride}, {padding, padding});
}

at::Tensor filters(LayerMaker& maker, const std::string& name, const Convolution& shape) {
    const double deviation = std::sqrt(2.0 / static_cast<double>(shape.out * shape.kernel * shape.kernel));
    return maker.parameter(name + ".weight", {shape.out, shape.in, shape.kernel, shape.kernel}, bound_of_deviation(deviation));
}

}  // namespace

double bound_of_deviation(double deviation) { return deviation * std::sqrt(3.0); }

LayerMaker::LayerMaker(std::uint64_t seed, const at::TensorOptions& options) : seed_(seed), options_(options) {
    model_.mode = std::make_shared<ModelMode>(ModelMode{.training = true, .chance = own_generator(options)});
    model_.set_training = [mode = model_.mode](bool training) { mode->training = training; };
    model_.seed_chance = [mode = model_.mode](std::uint64_t chance) { mode->chance.set_current_seed(chance); };
}

at::Tensor LayerMaker::add(std::vector<NamedTensor>& to, const std::string& name, at::Tensor tensor) {
    to.push_back({name, tensor});
    return tensor;
}

at::Tensor LayerMaker::parameter(const std::string& name, const Shape& shape, double bound) {
    const at::Tensor values = uniform_tensor(Rng(seed_).fork("parameters").fork(name), shape, bound).to(options_);
    return add(model_.parameters, name, values.set_requires_grad(true));
}

at::Tensor LayerMaker::filled_parameter(const std::string& name, const Shape& shape, double value) {
    return add(model_.parameters, name, at::full(shape, value, options_).set_requires_grad(true));
}

at::Tensor LayerMaker::statistic(const std::string& name, const Shape& shape, double value) {
    return add(model_.buffers, name, at::full(shape, value, options_));
}

Layer LayerMaker::linear(const std::string& name, std::int64_t in, std::int64_t out) {
    const double bound = 1 / std::sqrt(static_cast<double>(in));
    const at::Tensor weight = parameter(name + ".weight", {out, in}, bound);
    const at::Tensor bias = parameter(name + ".bias", {out}, bound);
    return [weight, bias](const at::Tensor& input) { return at::linear(input, weight, bias); };
}

Layer LayerMaker::linear(const std::string& name, std::int64_t in, std::int64_t out, double deviation) {
    const at::Tensor weight = parameter(name + ".weight", {out, in}, bound_of_deviation(deviation));
    const at::Tensor bias = filled_parameter(name + ".bias", {out}, 0);
    return [weight, bias](const at::Tensor& input) { return at::linear(input, weight, bias); };
}

Layer LayerMaker::convolution(const std::string& name, const Convolution& shape) {
    const at::Tensor weight = filters(*this, name, shape);
    return [weight, shape](const at::Tensor& input) { return convolve(input, weight, {}, shape); };
}

Layer LayerMaker::convolution_with_bias(const std::string& name, const Convolution& shape) {
    const at::Tensor weight = filters(*this, name, shape);
    const at::Tensor bias = filled_parameter(name + ".bias", {shape.out}, 0);
    return [weight, bias, shape](const at::Tensor& input) { return convolve(input, weight, bias, shape); };
}

Layer LayerMaker::batch_norm(const std::string& name, std::int64_t channels) {
    const at::Tensor weight = filled_parameter(name + ".weight", {channels}, 1);
    const at::Tensor bias = filled_parameter(name + ".bias", {channels}, 0);
    const at::Tensor mean = statistic(name + ".running_mean", {channels}, 0);
    const at::Tensor variance = statistic(name + ".running_var", {channels}, 1);
    return [=, mode = model_.mode](const at::Tensor& input) {
        return at::batch_norm(input, weight, bias, mean, variance, mode->training, 0.1, 1e-5, true);
    };
}

Layer LayerMaker::layer_norm(const std::string& name, std::int64_t width) {
    const at::Tensor weight = filled_parameter(name + ".weight", {width}, 1);
    const at::Tensor bias = filled_parameter(name + ".bias", {width}, 0);
    return [=](const at::Tensor& input) { return at::layer_norm(input, {width}, weight, bias, 1e-5); };
}

Layer LayerMaker::dropout(double probability) {
    return [probability, mode = model_.mode](const at::Tensor& input) {
        if (!mode->training || probability <= 0) { return input; }
        const at::Tensor kept = at::empty_like(input, input.options().requires_grad(false)).bernoulli_(1 - probability, mode->chance);
        return input * kept.div_(1 - probability);
    };
}

Model LayerMaker::model(Layer forward) && {
    model_.forward = std::move(forward);
    return std::move(model_);
}

Layer chain(std::vector<Layer> layers) {
    return [layers = std::move(layers)](const at::Tensor& input) {
        at::Tensor value = input;
        for (const Layer& layer : layers) { value = layer(value); }
        return value;
    };
}

}  // namespace medley::executor
