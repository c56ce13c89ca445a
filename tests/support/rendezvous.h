#pragma once
/// Threads that meet round by round, each bringing some bytes and leaving with everybody's.

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "executor/collectives/collective.h"

namespace medley::test {

/// Thread rule: one thread per rank; `break_off` from any.
class Rendezvous {
 public:
    using Blobs = std::shared_ptr<const std::vector<std::string>>;
    using Met = tl::expected<Blobs, executor::CollectiveFailure>;

    explicit Rendezvous(int size, std::chrono::milliseconds deadline = std::chrono::seconds(60));

    int size() const { return size_; }
    /// Blocks until all ranks have come. Fails if one has broken off before it came to this round, or comes too late; from then on always.
    Met meet(int rank, std::string mine);
    /// The rank comes no more: who waits for it fails, and it itself with kAborted.
    void break_off(int rank);
    /// `meet` as workers see the coordinator's exchange: empty if it fails.
    executor::ExchangeBlobs exchange_for(int rank);

 private:
    Met failed(int rank, executor::CollectiveFailure::Kind kind, const std::string& detail);
    bool absent_for_good() const;

    const int size_;
    const std::chrono::milliseconds deadline_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::string> arriving_;
    std::set<int> arrived_;
    std::set<int> broken_off_;
    Blobs last_;
    std::uint64_t rounds_ = 0;
};

}  // namespace medley::test
