#include "executor/collectives/nccl/communicator.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <fmt/format.h>

namespace medley::executor {
namespace {

using Clock = std::chrono::steady_clock;
using Kind = CollectiveFailure::Kind;

// NCCL refuses two ranks on one GPU of one host. Ranks that each seem to be a host of their own are let through, and talk over
// loopback: right, but slow; for checks on a machine with a single GPU.
void seem_alone_if_asked(int rank) {
    constexpr std::array kSettings = {"NCCL_P2P_DISABLE", "NCCL_SHM_DISABLE", "NCCL_IB_DISABLE"};
    if (std::getenv("MEDLEY_NCCL_SHARES_GPU") == nullptr) { return; }
    ::setenv("NCCL_HOSTID", fmt::format("rank{}", rank).c_str(), 1);
    ::setenv("NCCL_SOCKET_IFNAME", "lo", 0);
    for (const char* setting : kSettings) { ::setenv(setting, "1", 0); }
}

std::string fresh_id() {
    ncclUniqueId id;
    const ncclResult_t result = ncclGetUniqueId(&id);
    if (result != ncclSuccess) { throw NcclFailure({Kind::kPeer, fmt::format("NCCL has no id: {}", ncclGetErrorString(result))}); }
    return {id.internal, sizeof id.internal};
}

ncclUniqueId id_of_rank_0(const CollectiveSetup& setup) {
    const std::string mine = setup.rank == 0 ? fresh_id() : "";
    const std::vector<std::string> offers = setup.size == 1 ? std::vector{mine} : setup.exchange(mine);
    ncclUniqueId id{};
    if (offers.size() != static_cast<std::size_t>(setup.size) || offers.front().size() != sizeof id.internal) {
        throw NcclFailure({setup.stop.stop_requested() ? Kind::kAborted : Kind::kDeadline, "rank 0's id did not come"});
    }
    std::memcpy(id.internal, offers.front().data(), sizeof id.internal);
    return id;
}

// Short waits are spun through; long ones leave the processor to others.
class Patience {
 public:
    void wait() {
        constexpr int kSpins = 100;
        if (++waits_ < kSpins) { return std::this_thread::yield(); }
        std::this_thread::sleep_for(std::chrono::microseconds(20));
    }

 private:
    int waits_ = 0;
};

}  // namespace

Communicator::Communicator(const CollectiveSetup& setup) : deadline_(setup.deadline), stop_(setup.stop) {
    seem_alone_if_asked(setup.rank);
    const ncclUniqueId id = id_of_rank_0(setup);
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    try {
        finish(ncclCommInitRankConfig(&comm_, setup.size, id, setup.rank, &config), [] { return true; });
    } catch (...) {
        give_up();
        throw;
    }
    stop_ = {};
}

Communicator::~Communicator() {
    if (comm_ == nullptr) { return; }
    try {
        finish(ncclCommFinalize(comm_), [] { return true; });
        ncclCommDestroy(comm_);
    } catch (const NcclFailure&) { give_up(); }
}

ncclResult_t Communicator::state() const {
    ncclResult_t result = ncclSuccess;
    return ncclCommGetAsyncError(comm_, &result) == ncclSuccess ? result : ncclInternalError;
}

void Communicator::require_going_on(ncclResult_t result, Clock::time_point end) const {
    if (aborted_ || stop_.stop_requested()) { throw NcclFailure({Kind::kAborted, "aborted"}); }
    if (result != ncclSuccess && result != ncclInProgress) {
        throw NcclFailure({Kind::kPeer, fmt::format("NCCL: {}", ncclGetErrorString(result))});
    }
    if (Clock::now() >= end) { throw NcclFailure({Kind::kDeadline, fmt::format("NCCL: not done after {} ms", deadline_.count())}); }
}

void Communicator::finish(ncclResult_t result, const std::function<bool()>& done) {
    const auto end = Clock::now() + deadline_;
    Patience patience;
    require_going_on(result, end);
    // The asynchronous error is looked at even when the work is done, since a broken communicator must not be used on.
    for (result = state(); result == ncclInProgress || !done(); result = state()) {
        require_going_on(result, end);
        patience.wait();
    }
    require_going_on(result, Clock::time_point::max());
}

void Communicator::give_up() noexcept {
    if (comm_ != nullptr) { ncclCommAbort(comm_); }
    comm_ = nullptr;
}

}  // namespace medley::executor
