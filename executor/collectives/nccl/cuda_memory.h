#pragma once
/// The little of CUDA's runtime that the collective needs: devices, a stream, an event, memory that grows.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

namespace medley::executor {

/// Throws medley::Error naming what was attempted, if the code is not success.
void require_cuda(cudaError_t code, const char* attempted);

/// The number in "cuda:1". Makes it this thread's device. Throws medley::Error, with "no GPU: ..." if there is none at all: whatever
/// error the runtime answers means that (without a driver it is not the one for "no device").
int use_cuda_device(const std::string& device);

class CudaStream {
 public:
    CudaStream();
    ~CudaStream();
    CudaStream(const CudaStream&) = delete;
    CudaStream& operator=(const CudaStream&) = delete;
    cudaStream_t get() const { return stream_; }

 private:
    cudaStream_t stream_ = nullptr;
};

class CudaEvent {
 public:
    CudaEvent();
    ~CudaEvent();
    CudaEvent(const CudaEvent&) = delete;
    CudaEvent& operator=(const CudaEvent&) = delete;
    void record(cudaStream_t stream);
    /// Whether all work recorded is done. Throws medley::Error if it failed.
    bool done() const;

 private:
    cudaEvent_t event_ = nullptr;
};

/// Device memory that is kept between calls.
class CudaScratch {
 public:
    CudaScratch() = default;
    ~CudaScratch();
    CudaScratch(const CudaScratch&) = delete;
    CudaScratch& operator=(const CudaScratch&) = delete;
    /// At least so many bytes; what was there before is lost.
    std::byte* at_least(std::size_t bytes);

 private:
    void* memory_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace medley::executor
