#include "tests/support/rendezvous.h"

#include <algorithm>

#include <fmt/format.h>

namespace medley::test {

using Kind = executor::CollectiveFailure::Kind;

Rendezvous::Rendezvous(int size, std::chrono::milliseconds deadline)
    : size_(size), deadline_(deadline), arriving_(static_cast<std::size_t>(size)) {}

Rendezvous::Met Rendezvous::failed(int rank, Kind kind, const std::string& detail) {
    broken_off_.insert(rank);
    changed_.notify_all();
    return tl::unexpected(executor::CollectiveFailure{kind, detail});
}

bool Rendezvous::absent_for_good() const {
    return std::any_of(broken_off_.begin(), broken_off_.end(), [&](int rank) { return !arrived_.contains(rank); });
}

Rendezvous::Met Rendezvous::meet(int rank, std::string mine) {
    std::unique_lock lock(mutex_);
    if (broken_off_.contains(rank)) { return failed(rank, Kind::kAborted, "aborted"); }
    const std::uint64_t round = rounds_;
    arriving_[static_cast<std::size_t>(rank)] = std::move(mine);
    arrived_.insert(rank);
    if (arrived_.size() == static_cast<std::size_t>(size_)) {
        last_ = std::make_shared<const std::vector<std::string>>(arriving_);
        arrived_.clear();
        ++rounds_;
        changed_.notify_all();
        return last_;
    }
    const bool in_time =
        changed_.wait_for(lock, deadline_, [&] { return rounds_ > round || broken_off_.contains(rank) || absent_for_good(); });
    if (rounds_ > round) { return last_; }  // nobody can have finished another round without this rank
    if (broken_off_.contains(rank)) { return failed(rank, Kind::kAborted, "aborted"); }
    if (!in_time) { return failed(rank, Kind::kDeadline, "a rank did not come in time"); }
    return failed(rank, Kind::kPeer, "a rank has left");
}

void Rendezvous::break_off(int rank) {
    const std::lock_guard lock(mutex_);
    broken_off_.insert(rank);
    changed_.notify_all();
}

executor::ExchangeBlobs Rendezvous::exchange_for(int rank) {
    return [this, rank](const std::string& mine) {
        const Met met = meet(rank, mine);
        return met ? **met : std::vector<std::string>();
    };
}

}  // namespace medley::test
