#pragma once
/// A non-blocking NCCL communicator behind a deadline and an abort.

#include <atomic>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <stop_token>

#include <nccl.h>

#include "executor/collectives/collective.h"

namespace medley::executor {

/// How a communicator breaks; caught in the collective's calls.
class NcclFailure : public std::runtime_error {
 public:
    explicit NcclFailure(CollectiveFailure failure) : std::runtime_error(failure.detail), failure_(std::move(failure)) {}
    const CollectiveFailure& failure() const { return failure_; }

 private:
    CollectiveFailure failure_;
};

/// Thread rule: one thread, but `abort` from any.
class Communicator {
 public:
    /// Meets the other ranks; blocks. Throws NcclFailure.
    explicit Communicator(const CollectiveSetup& setup);
    /// In order if nothing has failed, else by force.
    ~Communicator();
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    ncclComm_t get() const { return comm_; }
    /// Polls until an NCCL call that has returned `result` is under way and `done` says that its work is done. Throws NcclFailure.
    void finish(ncclResult_t result, const std::function<bool()>& done);
    void abort() noexcept { aborted_ = true; }
    bool aborted() const { return aborted_; }
    /// Ends the communicator by force, so that its work leaves the stream and peers notice.
    void give_up() noexcept;

 private:
    void require_going_on(ncclResult_t result, std::chrono::steady_clock::time_point end) const;
    ncclResult_t state() const;

    ncclComm_t comm_ = nullptr;
    std::chrono::milliseconds deadline_;
    std::stop_token stop_;
    std::atomic<bool> aborted_ = false;
};

}  // namespace medley::executor
