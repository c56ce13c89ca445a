#pragma once
/// SGD, Adam and AdamW as operations over one flat tensor, with the trajectories of torch::optim.
///
/// On a processor the flat tensor is worked off in pieces that stay in its cache, all operations of an update on one piece before the next:
/// an update reads and writes memory once, however many operations it has.

#include <cstdint>
#include <functional>
#include <vector>

#include "executor/engines/torch/model.h"

namespace medley::executor {

/// How the reduced sum of gradients becomes the gradient, and where the update goes.
struct UpdateScale {
    double divisor = 1;    ///< total weight x loss scale
    double clip_norm = 0;  ///< largest norm after the division; 0 = any
    double learning_rate = 0;
    bool need_finite = false;  ///< leave everything as it is if the gradient is not finite
};

struct UpdateOutcome {
    bool skipped = false;
    double gradient_norm = 0;  ///< before clipping; 0 if neither clipping nor `need_finite` asked for it
};

class FlatOptimizer {
 public:
    FlatOptimizer(const OptimizerSpec& spec, const at::Tensor& parameters);

    /// One update; the gradients are used up. `updates` counts the updates done before.
    UpdateOutcome update(const at::Tensor& parameters, const at::Tensor& gradients, const UpdateScale& scale, std::int64_t updates);

    /// Momentum, or Adam's two moments; laid out as the parameters.
    const std::vector<NamedTensor>& slots() const { return slots_; }
    void reset();

 private:
    struct Piece;
    void decay_gradients(Piece& piece) const;
    void sgd(Piece& piece, double learning_rate) const;
    void adam(Piece& piece, double learning_rate, std::int64_t updates) const;

    OptimizerSpec spec_;
    std::vector<NamedTensor> slots_;
};

/// The Euclidean norm, summed in double.
double norm_in_double(const at::Tensor& values);

}  // namespace medley::executor
