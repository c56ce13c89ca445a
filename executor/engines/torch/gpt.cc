#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <ATen/TensorOperators.h>
#include <ATen/ops/baddbmm.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/full.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>

#include "core/error.h"
#include "executor/engines/torch/builtin_models.h"

namespace medley::executor {
namespace {

constexpr double kDeviation = 0.02;

at::Tensor gelu(const at::Tensor& input) { return at::gelu(input); }

// Added to the scores: nothing up to and at a token's own place, minus infinity after it.
at::Tensor causal_mask(std::int64_t sequence, const at::TensorOptions& options) {
    return at::full({sequence, sequence}, -std::numeric_limits<double>::infinity(), options).triu_(1);
}

struct Heads {
    std::int64_t count = 1;
    std::int64_t width = 1;
};

// [samples, sequence, 3 x hidden] -> queries, keys, values, each [samples x heads, sequence, width].
std::vector<at::Tensor> split_heads(const at::Tensor& projected, const Heads& heads) {
    const std::int64_t samples = projected.size(0);
    const std::int64_t sequence = projected.size(1);
    const at::Tensor parts = projected.view({samples, sequence, 3, heads.count, heads.width}).permute({2, 0, 3, 1, 4});
    return parts.reshape({3, samples * heads.count, sequence, heads.width}).unbind(0);
}

at::Tensor join_heads(const at::Tensor& mixed, std::int64_t samples, const Heads& heads) {
    const std::int64_t sequence = mixed.size(1);
    const at::Tensor parts = mixed.view({samples, heads.count, sequence, heads.width}).transpose(1, 2);
    return parts.reshape({samples, sequence, heads.count * heads.width});
}

Layer attention(LayerMaker& maker, const std::string& name, const GptModel& spec, const at::Tensor& mask) {
    const Heads heads{.count = spec.heads, .width = spec.hidden / spec.heads};
    const double residual_deviation = kDeviation / std::sqrt(2.0 * static_cast<double>(spec.layers));
    const Layer project = maker.linear(name + ".project", spec.hidden, 3 * spec.hidden, kDeviation);
    const Layer output = maker.linear(name + ".output", spec.hidden, spec.hidden, residual_deviation);
    const Layer drop = maker.dropout(spec.dropout);
    return [=](const at::Tensor& input) {
        const std::vector<at::Tensor> parts = split_heads(project(input), heads);
        const std::int64_t sequence = input.size(1);
        const at::Tensor visible = mask.narrow(0, 0, sequence).narrow(1, 0, sequence);
        const double scale = 1 / std::sqrt(static_cast<double>(heads.width));
        const at::Tensor scores = at::baddbmm(visible, parts[0], parts[1].transpose(1, 2), 1, scale);
        return output(join_heads(at::matmul(drop(scores.softmax(-1)), parts[2]), input.size(0), heads));
    };
}

Layer feed_forward(LayerMaker& maker, const std::string& name, const GptModel& spec) {
    const double residual_deviation = kDeviation / std::sqrt(2.0 * static_cast<double>(spec.layers));
    Layer widen = maker.linear(name + ".widen", spec.hidden, 4 * spec.hidden, kDeviation);
    Layer narrow = maker.linear(name + ".narrow", 4 * spec.hidden, spec.hidden, residual_deviation);
    return chain({std::move(widen), gelu, std::move(narrow)});
}

Layer residual(Layer branch) {
    return [branch = std::move(branch)](const at::Tensor& input) { return input + branch(input); };
}

void add_block(LayerMaker& maker, const std::string& name, const GptModel& spec, const at::Tensor& mask, std::vector<Layer>& layers) {
    Layer first_norm = maker.layer_norm(name + ".first_norm", spec.hidden);
    layers.push_back(
        residual(chain({std::move(first_norm), attention(maker, name + ".attention", spec, mask), maker.dropout(spec.dropout)})));
    Layer second_norm = maker.layer_norm(name + ".second_norm", spec.hidden);
    layers.push_back(
        residual(chain({std::move(second_norm), feed_forward(maker, name + ".feed_forward", spec), maker.dropout(spec.dropout)})));
}

}  // namespace

Model make_gpt(const GptModel& spec, LayerMaker maker) {
    if (spec.heads < 1 || spec.hidden % spec.heads != 0) {
        refuse_value("model.heads", std::to_string(spec.heads), fmt::format("a divisor of hidden, {}", spec.hidden));
    }
    const at::Tensor table = maker.parameter("tokens", {spec.vocabulary, spec.hidden}, bound_of_deviation(kDeviation));
    const at::Tensor places = maker.parameter("places", {spec.sequence, spec.hidden}, bound_of_deviation(kDeviation));
    const at::Tensor mask = causal_mask(spec.sequence, maker.options());
    std::vector<Layer> layers = {maker.dropout(spec.dropout)};
    for (std::int64_t i = 0; i < spec.layers; ++i) { add_block(maker, fmt::format("block{}", i), spec, mask, layers); }
    layers.push_back(maker.layer_norm("last_norm", spec.hidden));
    const Layer body = chain(std::move(layers));
    return std::move(maker).model([=](const at::Tensor& tokens) {
        const at::Tensor embedded = at::embedding(table, tokens) + places.narrow(0, 0, tokens.size(1));
        return at::linear(body(embedded), table);
    });
}

}  // namespace medley::executor
