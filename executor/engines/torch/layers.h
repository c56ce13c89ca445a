#pragma once
/// The layers of the built-in models, as functions over tensors, and the parameters they own.
///
/// Parameters start uniform in (-bound, bound), drawn by medley::Rng from the seed and the parameter's name: the same bits on every
/// machine, whatever else the model holds.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "executor/engines/torch/model.h"

namespace medley::executor {

using Layer = std::function<at::Tensor(const at::Tensor&)>;
using Shape = std::vector<std::int64_t>;

/// The bound of a uniform distribution with this standard deviation.
double bound_of_deviation(double deviation);

struct Convolution {
    std::int64_t in = 1;
    std::int64_t out = 1;
    std::int64_t kernel = 3;
    std::int64_t stride = 1;
};

class LayerMaker {
 public:
    LayerMaker(std::uint64_t seed, const at::TensorOptions& options);

    at::Tensor parameter(const std::string& name, const Shape& shape, double bound);
    at::Tensor filled_parameter(const std::string& name, const Shape& shape, double value);
    at::Tensor statistic(const std::string& name, const Shape& shape, double value);

    /// Weights and bias within 1/sqrt(in), as is usual for fully connected layers.
    Layer linear(const std::string& name, std::int64_t in, std::int64_t out);
    /// Weights of this deviation, bias zero.
    Layer linear(const std::string& name, std::int64_t in, std::int64_t out, double deviation);
    /// Padded to keep the size at stride 1; no bias, since a normalisation follows; He initialisation by outputs.
    Layer convolution(const std::string& name, const Convolution& shape);
    Layer convolution_with_bias(const std::string& name, const Convolution& shape);
    /// Over the batch in training (momentum 0.1), by the running statistics else.
    Layer batch_norm(const std::string& name, std::int64_t channels);
    Layer layer_norm(const std::string& name, std::int64_t width);
    Layer dropout(double probability);

    const at::TensorOptions& options() const { return options_; }
    /// The finished model.
    Model model(Layer forward) &&;

 private:
    at::Tensor add(std::vector<NamedTensor>& to, const std::string& name, at::Tensor tensor);

    std::uint64_t seed_;
    at::TensorOptions options_;
    Model model_;
};

/// One after another.
Layer chain(std::vector<Layer> layers);

}  // namespace medley::executor
