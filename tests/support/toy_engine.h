#pragma once
/// An engine small enough to see through: float gradients that depend on parameters, samples and chance, momentum, a running statistic,
/// fixed-point sums. For tests of the trainer that need real rounding but no model.

#include <functional>
#include <memory>

#include "executor/engines/engine.h"

namespace medley::test {

struct ToyOptions {
    std::size_t parameters = 37;
    /// Gradients of a virtual node are multiplied by this; infinities and NaN poison them.
    std::function<float(std::int64_t step, std::uint32_t virtual_node)> factor = [](std::int64_t, std::uint32_t) { return 1.0F; };
    bool divides_by_nodes = false;  ///< a defect: the mean over virtual nodes instead of over samples
};

/// Samples are those of the job's synthetic data; they are not read, only their positions count.
std::unique_ptr<executor::Engine> make_toy_engine(const executor::EngineSetup& setup, const ToyOptions& options = {});

}  // namespace medley::test
