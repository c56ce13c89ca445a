#include "executor/collectives/nccl/cuda_memory.h"

#include <charconv>

#include <fmt/format.h>

#include "core/error.h"

namespace medley::executor {
namespace {

int device_number(const std::string& device) {
    constexpr std::string_view kPrefix = "cuda:";
    int number = -1;
    if (device.starts_with(kPrefix)) { std::from_chars(device.data() + kPrefix.size(), device.data() + device.size(), number); }
    if (number < 0) { refuse_value("device", device, "cuda:0, cuda:1, ...: NCCL needs a GPU; collective 'gloo' does not"); }
    return number;
}

}  // namespace

void require_cuda(cudaError_t code, const char* attempted) {
    if (code != cudaSuccess) { throw Error(fmt::format("CUDA: {} failed: {}", attempted, cudaGetErrorString(code))); }
}

int use_cuda_device(const std::string& device) {
    int count = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    if (code != cudaSuccess || count == 0) {
        throw Error(fmt::format("no GPU: {}", code == cudaSuccess ? "no device found" : cudaGetErrorString(code)));
    }
    const int number = device_number(device);
    if (number >= count) { refuse_value("device", device, fmt::format("one of the {} GPUs here, cuda:0 to cuda:{}", count, count - 1)); }
    require_cuda(cudaSetDevice(number), "choosing the device");
    return number;
}

CudaStream::CudaStream() { require_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream"); }
CudaStream::~CudaStream() { cudaStreamDestroy(stream_); }

CudaEvent::CudaEvent() { require_cuda(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "making an event"); }
CudaEvent::~CudaEvent() { cudaEventDestroy(event_); }

void CudaEvent::record(cudaStream_t stream) { require_cuda(cudaEventRecord(event_, stream), "recording an event"); }

bool CudaEvent::done() const {
    const cudaError_t code = cudaEventQuery(event_);
    if (code == cudaErrorNotReady) { return false; }
    require_cuda(code, "work on the stream");
    return true;
}

CudaScratch::~CudaScratch() { cudaFree(memory_); }

std::byte* CudaScratch::at_least(std::size_t bytes) {
    if (bytes > bytes_) {
        cudaFree(memory_);
        memory_ = nullptr;
        bytes_ = 0;
        require_cuda(cudaMalloc(&memory_, bytes), "allocating memory");
        bytes_ = bytes;
    }
    return static_cast<std::byte*>(memory_);
}

}  // namespace medley::executor
