#pragma once
/// A CUDA runtime and an NCCL without a GPU, so that host code that drives them runs anywhere: memory is the host's, streams do what they
/// are given in order, communicators talk over loopback sockets and behave as non-blocking ones: first "in progress", then done, or an
/// asynchronous error once a peer has gone.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include <cuda_runtime_api.h>

namespace medley::test {

/// Devices that the runtime reports from now on; 0 = it fails as without a driver. 4 at first.
void set_fake_devices(int count);
/// Bytes of device memory not yet freed, streams and events not yet destroyed: to find leaks.
struct FakeCudaUse {
    std::int64_t allocations = 0;
    std::int64_t streams = 0;
    std::int64_t events = 0;
    std::int64_t communicators = 0;
};
FakeCudaUse fake_cuda_use();
void count_fake_communicator(int change);

/// What a stream has been given and has not done yet.
class FakeStream {
 public:
    void begin_work();
    void end_work();
    bool idle() const { return pending_ == 0; }
    void wait();

 private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::atomic<int> pending_ = 0;
};
/// The thread's own default stream for a null handle.
FakeStream& fake_stream(cudaStream_t stream);

}  // namespace medley::test
