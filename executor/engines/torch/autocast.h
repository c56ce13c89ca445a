#pragma once
/// Lower precision for the operations that bear it, while an object lives; parameters and gradients stay in float.

#include <c10/core/Device.h>

#include "core/training.h"

namespace medley::executor {

class Autocast {
 public:
    /// Nothing for fp32 and fp64. fp16 exists on GPUs alone.
    Autocast(const c10::Device& device, Precision precision);
    ~Autocast();
    Autocast(const Autocast&) = delete;
    Autocast& operator=(const Autocast&) = delete;

 private:
    c10::Device device_;
    bool active_;
};

}  // namespace medley::executor
