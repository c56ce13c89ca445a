#include "executor/engines/torch/autocast.h"

#include <ATen/autocast_mode.h>
#include <torch/version.h>

namespace medley::executor {
namespace {

at::ScalarType low_type(Precision precision) { return precision == Precision::kFp16 ? at::kHalf : at::kBFloat16; }

// Torch 2.4 replaced one function per device by one for all.
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 4)

void switch_on(const c10::Device& device, at::ScalarType type) {
    at::autocast::set_autocast_dtype(device.type(), type);
    at::autocast::set_autocast_enabled(device.type(), true);
}

void switch_off(const c10::Device& device) { at::autocast::set_autocast_enabled(device.type(), false); }

#else

void switch_on(const c10::Device& device, at::ScalarType type) {
    if (device.is_cuda()) {
        at::autocast::set_autocast_gpu_dtype(type);
        at::autocast::set_enabled(true);
    } else {
        at::autocast::set_autocast_cpu_dtype(type);
        at::autocast::set_cpu_enabled(true);
    }
}

void switch_off(const c10::Device& device) { device.is_cuda() ? at::autocast::set_enabled(false) : at::autocast::set_cpu_enabled(false); }

#endif

}  // namespace

Autocast::Autocast(const c10::Device& device, Precision precision)
    : device_(device), active_(precision == Precision::kBf16 || precision == Precision::kFp16) {
    if (active_) { switch_on(device_, low_type(precision)); }
}

Autocast::~Autocast() {
    if (!active_) { return; }
    switch_off(device_);
    // Converted weights are kept for the operations in between alone: an update follows.
    at::autocast::clear_cache();
}

}  // namespace medley::executor
