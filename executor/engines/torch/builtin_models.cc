#include "executor/engines/torch/builtin_models.h"

#include <utility>

#include <fmt/format.h>

#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/relu.h>

namespace medley::executor {
namespace {

at::Tensor relu(const at::Tensor& input) { return at::relu(input); }
at::Tensor mean_over_pixels(const at::Tensor& input) { return input.mean({2, 3}); }
at::Tensor flatten(const at::Tensor& input) { return input.flatten(1); }

// Mean pooling rather than maximum: its backward pass is deterministic on every device.
at::Tensor halve(const at::Tensor& input) { return at::avg_pool2d(input, {2, 2}); }

}  // namespace

Model make_mlp(const MlpModel& spec, LayerMaker maker) {
    std::vector<Layer> layers = {flatten};
    std::int64_t width = spec.inputs;
    for (std::size_t i = 0; i < spec.hidden.size(); ++i) {
        layers.push_back(maker.linear(fmt::format("hidden{}", i), width, spec.hidden[i]));
        layers.emplace_back(relu);
        layers.push_back(maker.dropout(spec.dropout));
        width = spec.hidden[i];
    }
    layers.push_back(maker.linear("output", width, spec.outputs));
    return std::move(maker).model(chain(std::move(layers)));
}

Model make_cnn(const CnnModel& spec, LayerMaker maker) {
    std::vector<Layer> layers;
    std::int64_t channels = spec.channels;
    std::int64_t size = spec.size;
    for (std::size_t i = 0; i < spec.filters.size(); ++i) {
        const Convolution shape{.in = channels, .out = spec.filters[i]};
        const std::string name = fmt::format("convolution{}", i);
        layers.push_back(spec.batch_norm ? maker.convolution(name, shape) : maker.convolution_with_bias(name, shape));
        if (spec.batch_norm) { layers.push_back(maker.batch_norm(fmt::format("norm{}", i), shape.out)); }
        layers.emplace_back(relu);
        if (size > 1) { layers.emplace_back(halve); }
        size = std::max<std::int64_t>(1, size / 2);
        channels = shape.out;
    }
    layers.emplace_back(mean_over_pixels);
    layers.push_back(maker.dropout(spec.dropout));
    layers.push_back(maker.linear("output", channels, spec.classes));
    return std::move(maker).model(chain(std::move(layers)));
}

}  // namespace medley::executor
