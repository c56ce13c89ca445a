#include "executor/engines/torch/flat_optimizer.h"

#include <algorithm>
#include <cmath>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros_like.h>

namespace medley::executor {
namespace {

// Small enough that the arrays of a piece stay in the cache, large enough that calls cost little. On a GPU, few large kernels.
constexpr std::int64_t kPieceOnProcessor = 65536;
constexpr std::int64_t kPieceOnGpu = std::int64_t{1} << 25;

template <class Visit>
void for_each_piece(const at::Tensor& flat, const Visit& visit) {
    const std::int64_t most = flat.is_cpu() ? kPieceOnProcessor : kPieceOnGpu;
    for (std::int64_t begin = 0; begin < flat.numel(); begin += most) { visit(begin, std::min(most, flat.numel() - begin)); }
}

double clip_factor(double norm, double clip_norm) {
    // torch's clip_grad_norm_ has the same small number in the denominator.
    return clip_norm > 0 ? std::min(1.0, clip_norm / (norm + 1e-6)) : 1.0;
}

std::vector<std::string> slot_names(const OptimizerSpec& spec) {
    if (spec.kind != OptimizerKind::kSgd) { return {"first_moment", "second_moment"}; }
    if (spec.momentum != 0) { return {"momentum"}; }
    return {};
}

}  // namespace

double norm_in_double(const at::Tensor& values) {
    double sum = 0;
    for_each_piece(values, [&](std::int64_t begin, std::int64_t count) {
        const at::Tensor piece = values.narrow(0, begin, count).to(at::kDouble);
        sum += piece.dot(piece).item<double>();
    });
    return std::sqrt(sum);
}

struct FlatOptimizer::Piece {
    at::Tensor parameters;
    at::Tensor gradients;
    std::vector<at::Tensor> slots;
    double factor = 1;  ///< the sum of gradients times this is the gradient; part of an operation rather than one of its own
};

FlatOptimizer::FlatOptimizer(const OptimizerSpec& spec, const at::Tensor& parameters) : spec_(spec) {
    for (const std::string& name : slot_names(spec)) { slots_.push_back({name, at::zeros_like(parameters)}); }
}

void FlatOptimizer::reset() {
    for (NamedTensor& slot : slots_) { slot.tensor.zero_(); }
}

UpdateOutcome FlatOptimizer::update(const at::Tensor& parameters, const at::Tensor& gradients, const UpdateScale& scale,
                                    std::int64_t updates) {
    const at::NoGradGuard no_gradient;
    const bool need_norm = scale.clip_norm > 0 || scale.need_finite;
    const double norm = need_norm ? norm_in_double(gradients) / scale.divisor : 0;
    if (scale.need_finite && !std::isfinite(norm)) { return {.skipped = true, .gradient_norm = norm}; }
    const double factor = clip_factor(norm, scale.clip_norm) / scale.divisor;
    for_each_piece(parameters, [&](std::int64_t begin, std::int64_t count) {
        Piece piece{parameters.narrow(0, begin, count), gradients.narrow(0, begin, count), {}, factor};
        for (const NamedTensor& slot : slots_) { piece.slots.push_back(slot.tensor.narrow(0, begin, count)); }
        spec_.kind == OptimizerKind::kSgd ? sgd(piece, scale.learning_rate) : adam(piece, scale.learning_rate, updates);
    });
    return {.gradient_norm = norm};
}

void FlatOptimizer::decay_gradients(Piece& piece) const {
    if (spec_.weight_decay == 0) { return; }
    piece.gradients.mul_(piece.factor).add_(piece.parameters, spec_.weight_decay);
    piece.factor = 1;
}

void FlatOptimizer::sgd(Piece& piece, double learning_rate) const {
    decay_gradients(piece);
    if (spec_.momentum == 0) {
        piece.parameters.add_(piece.gradients, -learning_rate * piece.factor);
        return;
    }
    const at::Tensor& momentum = piece.slots[0];
    momentum.mul_(spec_.momentum).add_(piece.gradients, piece.factor);
    if (spec_.nesterov) {
        piece.parameters.add_(piece.gradients, -learning_rate * piece.factor).add_(momentum, -learning_rate * spec_.momentum);
    } else {
        piece.parameters.add_(momentum, -learning_rate);
    }
}

void FlatOptimizer::adam(Piece& piece, double learning_rate, std::int64_t updates) const {
    if (spec_.kind == OptimizerKind::kAdamW) {
        if (spec_.weight_decay != 0) { piece.parameters.mul_(1 - learning_rate * spec_.weight_decay); }
    } else {
        decay_gradients(piece);
    }
    const double time = static_cast<double>(updates + 1);
    const double first_correction = 1 - std::pow(spec_.beta1, time);
    const double second_correction = 1 - std::pow(spec_.beta2, time);
    const at::Tensor& gradients = piece.gradients;
    piece.slots[0].mul_(spec_.beta1).add_(gradients, (1 - spec_.beta1) * piece.factor);
    piece.slots[1].mul_(spec_.beta2).addcmul_(gradients, gradients, (1 - spec_.beta2) * piece.factor * piece.factor);
    const at::Tensor denominator = piece.slots[1].sqrt().div_(std::sqrt(second_correction)).add_(spec_.epsilon);
    piece.parameters.addcdiv_(piece.slots[0], denominator, -learning_rate / first_correction);
}

}  // namespace medley::executor
