#include <cstdlib>
#include <cstring>

#include "tests/support/fake_cuda/fake_cuda.h"

namespace {

using medley::test::FakeStream;

std::atomic<int> devices = 4;
std::atomic<std::int64_t> allocations = 0;
std::atomic<std::int64_t> streams = 0;
std::atomic<std::int64_t> events = 0;
std::atomic<std::int64_t> communicators = 0;

struct FakeEvent {
    FakeStream* stream = nullptr;
};

}  // namespace

namespace medley::test {

void set_fake_devices(int count) { devices = count; }

FakeCudaUse fake_cuda_use() { return {.allocations = allocations, .streams = streams, .events = events, .communicators = communicators}; }

void count_fake_communicator(int change) { communicators += change; }

void FakeStream::begin_work() { ++pending_; }

void FakeStream::end_work() {
    const std::lock_guard lock(mutex_);
    --pending_;
    changed_.notify_all();
}

void FakeStream::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return idle(); });
}

FakeStream& fake_stream(cudaStream_t stream) {
    thread_local FakeStream own;
    return stream == nullptr ? own : *reinterpret_cast<FakeStream*>(stream);
}

}  // namespace medley::test

using medley::test::fake_stream;

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
    *count = devices;
    return devices > 0 ? cudaSuccess : cudaErrorInsufficientDriver;  // what the true one says without a driver
}

cudaError_t cudaSetDevice(int device) { return device < devices ? cudaSuccess : cudaErrorInvalidDevice; }

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
    *memory = std::malloc(bytes);
    if (*memory == nullptr) { return cudaErrorMemoryAllocation; }
    ++allocations;
    return cudaSuccess;
}

cudaError_t cudaFree(void* memory) {
    if (memory != nullptr) { --allocations; }
    std::free(memory);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t stream) {
    fake_stream(stream).wait();
    if (bytes > 0) { std::memcpy(to, from, bytes); }
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int) {
    *stream = reinterpret_cast<cudaStream_t>(new FakeStream);
    ++streams;
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    delete reinterpret_cast<FakeStream*>(stream);
    --streams;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    fake_stream(stream).wait();
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int) {
    *event = reinterpret_cast<cudaEvent_t>(new FakeEvent);
    ++events;
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    delete reinterpret_cast<FakeEvent*>(event);
    --events;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    reinterpret_cast<FakeEvent*>(event)->stream = &fake_stream(stream);
    return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    return reinterpret_cast<FakeEvent*>(event)->stream->idle() ? cudaSuccess : cudaErrorNotReady;
}

const char* cudaGetErrorString(cudaError_t error) {
    return error == cudaErrorInsufficientDriver ? "CUDA driver version is insufficient for CUDA runtime version" : "fake error";
}

}  // extern "C"
