#include <array>
#include <utility>

#include <fmt/format.h>

#include <ATen/TensorOperators.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/relu.h>

#include "core/error.h"
#include "executor/engines/torch/builtin_models.h"

namespace medley::executor {
namespace {

constexpr std::array<std::int64_t, 4> kWidths = {64, 128, 256, 512};
constexpr std::int64_t kLargestSmallImage = 64;

struct Depth {
    std::array<int, 4> blocks;
    bool bottleneck;
};

Depth depth_of(int depth) {
    if (depth == 18) { return {{2, 2, 2, 2}, false}; }
    if (depth == 50) { return {{3, 4, 6, 3}, true}; }
    refuse_value("model.type", fmt::format("resnet{}", depth), "resnet18 or resnet50");
}

at::Tensor relu(const at::Tensor& input) { return at::relu(input); }

Layer convolution_and_norm(LayerMaker& maker, const std::string& name, const Convolution& shape) {
    Layer convolution = maker.convolution(name + ".convolution", shape);
    return chain({std::move(convolution), maker.batch_norm(name + ".norm", shape.out)});
}

struct Block {
    std::int64_t in = 0;
    std::int64_t width = 0;
    std::int64_t stride = 1;
    bool bottleneck = false;
    std::int64_t out() const { return bottleneck ? 4 * width : width; }
};

Layer residual_branch(LayerMaker& maker, const std::string& name, const Block& block) {
    if (!block.bottleneck) {
        const Convolution first{.in = block.in, .out = block.width, .stride = block.stride};
        const Convolution second{.in = block.width, .out = block.width};
        Layer begin = convolution_and_norm(maker, name + ".first", first);
        return chain({std::move(begin), relu, convolution_and_norm(maker, name + ".second", second)});
    }
    const Convolution narrow{.in = block.in, .out = block.width, .kernel = 1};
    const Convolution middle{.in = block.width, .out = block.width, .stride = block.stride};
    const Convolution widen{.in = block.width, .out = block.out(), .kernel = 1};
    Layer begin = convolution_and_norm(maker, name + ".first", narrow);
    Layer centre = convolution_and_norm(maker, name + ".second", middle);
    return chain({std::move(begin), relu, std::move(centre), relu, convolution_and_norm(maker, name + ".third", widen)});
}

Layer residual_block(LayerMaker& maker, const std::string& name, const Block& block) {
    const Layer branch = residual_branch(maker, name, block);
    if (block.stride == 1 && block.in == block.out()) {
        return [branch](const at::Tensor& input) { return at::relu(branch(input) + input); };
    }
    const Convolution projection{.in = block.in, .out = block.out(), .kernel = 1, .stride = block.stride};
    const Layer shortcut = convolution_and_norm(maker, name + ".shortcut", projection);
    return [branch, shortcut](const at::Tensor& input) { return at::relu(branch(input) + shortcut(input)); };
}

Layer stem(LayerMaker& maker, std::int64_t image_size) {
    const bool small = image_size <= kLargestSmallImage;
    const Convolution shape{.in = 3, .out = kWidths.front(), .kernel = small ? 3 : 7, .stride = small ? 1 : 2};
    Layer begin = chain({convolution_and_norm(maker, "stem", shape), relu});
    if (small) { return begin; }
    return chain({std::move(begin), [](const at::Tensor& input) { return at::max_pool2d(input, {3, 3}, {2, 2}, {1, 1}); }});
}

}  // namespace

Model make_resnet(const ResnetModel& spec, LayerMaker maker) {
    const Depth depth = depth_of(spec.depth);
    std::vector<Layer> layers = {stem(maker, spec.size)};
    std::int64_t channels = kWidths.front();
    for (std::size_t stage = 0; stage < kWidths.size(); ++stage) {
        for (int i = 0; i < depth.blocks[stage]; ++i) {
            const bool shrinks = stage > 0 && i == 0;
            const Block block{.in = channels, .width = kWidths[stage], .stride = shrinks ? 2 : 1, .bottleneck = depth.bottleneck};
            layers.push_back(residual_block(maker, fmt::format("stage{}.block{}", stage, i), block));
            channels = block.out();
        }
    }
    layers.emplace_back([](const at::Tensor& input) { return input.mean({2, 3}); });
    layers.push_back(maker.linear("output", channels, spec.classes));
    return std::move(maker).model(chain(std::move(layers)));
}

}  // namespace medley::executor
