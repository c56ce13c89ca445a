#include "executor/engines/torch/live_bytes.h"

#include <malloc.h>

#include <atomic>
#include <cstring>
#include <new>

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/impl/alloc_cpu.h>

#if defined(MEDLEY_TORCH_CUDA)
#include <c10/cuda/CUDACachingAllocator.h>
#endif

namespace medley::executor {
namespace {

std::atomic<std::int64_t> live_bytes = 0;
std::atomic<std::int64_t> peak_bytes = 0;

void count(std::int64_t change) {
    const std::int64_t now = live_bytes.fetch_add(change, std::memory_order_relaxed) + change;
    std::int64_t peak = peak_bytes.load(std::memory_order_relaxed);
    while (now > peak && !peak_bytes.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {}
}

void release(void* memory) {
    if (memory == nullptr) { return; }
    count(-static_cast<std::int64_t>(malloc_usable_size(memory)));
    c10::free_cpu(memory);
}

// Later versions of Torch dropped `const` from `allocate` and added `copy_data`: whichever stands in the base class is overridden.
class CountingAllocator final : public c10::Allocator {
 public:
    c10::DataPtr allocate(std::size_t bytes) const { return allocated(bytes); }
    c10::DataPtr allocate(std::size_t bytes) { return allocated(bytes); }
    c10::DeleterFnPtr raw_deleter() const { return &release; }
    void copy_data(void* to, const void* from, std::size_t bytes) const { std::memcpy(to, from, bytes); }

 private:
    static c10::DataPtr allocated(std::size_t bytes) {
        void* const memory = bytes == 0 ? nullptr : c10::alloc_cpu(bytes);
        if (memory != nullptr) { count(static_cast<std::int64_t>(malloc_usable_size(memory))); }
        return {memory, memory, &release, c10::Device(c10::DeviceType::CPU)};
    }
};

#if defined(MEDLEY_TORCH_CUDA)
std::int64_t take_peak_of_gpu(const c10::Device& device) {
    const auto index = static_cast<c10::DeviceIndex>(device.index());
    const auto statistics = c10::cuda::CUDACachingAllocator::getDeviceStats(index);
    c10::cuda::CUDACachingAllocator::resetPeakStats(index);
    return statistics.allocated_bytes[0].peak;
}
#else
std::int64_t take_peak_of_gpu(const c10::Device&) { return 0; }
#endif

}  // namespace

void count_host_tensors() {
    static CountingAllocator allocator;
    static const bool installed = [] {
        constexpr std::uint8_t kAboveTheDefault = 100;
        c10::SetCPUAllocator(&allocator, kAboveTheDefault);
        return true;
    }();
    static_cast<void>(installed);
}

std::int64_t take_peak_tensor_bytes(const c10::Device& device) {
    if (device.is_cuda()) { return take_peak_of_gpu(device); }
    return peak_bytes.exchange(live_bytes.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

std::int64_t live_host_tensor_bytes() { return live_bytes.load(std::memory_order_relaxed); }

}  // namespace medley::executor
