#include "executor/engines/torch/devices.h"

#include <cstdlib>
#include <mutex>

#include <fmt/format.h>

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <torch/cuda.h>

#if defined(MEDLEY_TORCH_CUDA)
#include <ATen/cuda/CUDAContext.h>
#endif

#include "core/error.h"
#include "executor/engines/torch/live_bytes.h"

namespace medley::executor {
namespace {

#if defined(MEDLEY_TORCH_CUDA)

DeviceFound gpu_found(std::size_t index) {
    const auto* properties = at::cuda::getDeviceProperties(static_cast<c10::DeviceIndex>(index));
    return {.device = fmt::format("cuda:{}", index),
            .name = properties->name,
            .memory_bytes = static_cast<std::int64_t>(properties->totalGlobalMem)};
}

constexpr bool kBuiltForGpus = true;

#else

DeviceFound gpu_found(std::size_t index) { return {.device = fmt::format("cuda:{}", index)}; }

constexpr bool kBuiltForGpus = false;

#endif

std::string why_no_gpu() {
    if (!kBuiltForGpus) { return "no GPU: this Torch is built without CUDA"; }
    return "no GPU: Torch finds no CUDA device or no driver";
}

std::size_t gpus() { return kBuiltForGpus ? torch::cuda::device_count() : 0; }

c10::Device parsed_device(const std::string& name) {
    try {
        const c10::Device device(name);
        if (device.is_cpu()) { return device; }
        if (device.is_cuda()) { return {device.type(), device.has_index() ? device.index() : c10::DeviceIndex{0}}; }
    } catch (const c10::Error&) {}  // below
    refuse_value("device", name, "cpu or cuda:N");
}

void configure_once() {
    at::set_num_threads(1);
    at::set_num_interop_threads(1);
    // cuBLAS is deterministic with a workspace of its own only; it reads this when first used.
    setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);
    at::Context& context = at::globalContext();
    context.setDeterministicCuDNN(true);
    context.setBenchmarkCuDNN(false);
    context.setAllowTF32CuDNN(false);
    // Warn only: a user's model may need an operation that has no deterministic kernel.
    context.setDeterministicAlgorithms(true, true);
    count_host_tensors();
}

}  // namespace

c10::Device require_device(const std::string& name) {
    const c10::Device device = parsed_device(name);
    if (!device.is_cuda()) { return device; }
    const std::size_t count = gpus();
    if (count == 0) { throw Error(fmt::format("device {}: {}", name, why_no_gpu())); }
    if (static_cast<std::size_t>(device.index()) >= count) { refuse_value("device", name, fmt::format("cuda:0 to cuda:{}", count - 1)); }
    return device;
}

std::string name_of(const c10::Device& device) {
    if (device.is_cuda()) { return gpu_found(static_cast<std::size_t>(device.index())).name; }
    return "cpu";
}

void add_gpus(DevicesFound& found) {
    const std::size_t count = gpus();
    for (std::size_t i = 0; i < count; ++i) { found.devices.push_back(gpu_found(i)); }
    if (count == 0) { found.note = why_no_gpu(); }
}

void configure_torch() {
    static std::once_flag once;
    std::call_once(once, configure_once);
}

}  // namespace medley::executor
