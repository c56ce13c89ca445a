#pragma once
/// Training as LibTorch's tutorials do it: one batch, zero_grad, backward, step. What the engine is compared with.

#include <memory>
#include <span>

#include "core/training.h"

namespace medley::executor {

class PlainLoop {
 public:
    explicit PlainLoop(const TrainingJob& job);
    ~PlainLoop();
    /// One step over these samples; the mean loss.
    double step(std::span<const std::int64_t> samples);
    std::int64_t parameter_bytes() const;

 private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace medley::executor
