#pragma once
/// Many tensors as stretches of one: one buffer to reduce, to update, to send, to write to disk.
///
/// Each stretch begins at a multiple of 64 bytes and is filled up with zeros, which stay zeros.

#include <cstdint>
#include <string>
#include <vector>

#include "executor/engines/torch/model.h"

namespace medley::executor {

struct Stretch {
    std::string name;
    std::int64_t offset = 0;
    std::int64_t elements = 0;  ///< with the zeros at its end
};

class FlatTensors {
 public:
    FlatTensors() = default;
    /// Moves the tensors' data into one new buffer of this kind, of which they are views from now on.
    FlatTensors(std::vector<NamedTensor> tensors, const at::TensorOptions& options);

    const at::Tensor& flat() const { return flat_; }
    std::int64_t elements() const { return elements_; }
    const std::vector<Stretch>& stretches() const { return stretches_; }
    bool empty() const { return elements_ == 0; }

    /// Makes stretches of `flat` (laid out as this) the tensors' gradients, which a backward pass then adds to in place.
    void attach_gradients(const at::Tensor& flat);
    /// Takes over other tensors' values; requires the same tensors in the same order.
    void assign(const std::vector<NamedTensor>& values);

 private:
    at::Tensor view(const at::Tensor& flat, std::size_t index) const;

    std::vector<NamedTensor> tensors_;
    std::vector<Stretch> stretches_;
    std::int64_t elements_ = 0;
    at::Tensor flat_;
};

}  // namespace medley::executor
