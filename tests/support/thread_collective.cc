#include "tests/support/thread_collective.h"

#include <algorithm>
#include <map>
#include <span>

#include <fmt/format.h>

#include "core/error.h"
#include "executor/collectives/combine.h"

namespace medley::test {
namespace {

using executor::Buffer;
using executor::CollectiveFailure;
using executor::Outcome;

class ThreadCollective : public executor::Collective {
 public:
    ThreadCollective(int rank, std::shared_ptr<Rendezvous> rendezvous, std::shared_ptr<const std::vector<PlannedFault>> faults)
        : rank_(rank), rendezvous_(std::move(rendezvous)), faults_(std::move(faults)) {}
    ~ThreadCollective() override { rendezvous_->break_off(rank_); }

    int rank() const override { return rank_; }
    int size() const override { return rendezvous_->size(); }

    Outcome all_reduce(const Buffer& buffer, executor::ReduceOp op) override {
        auto* data = static_cast<char*>(buffer.data);
        const auto met = meet(std::string(data, data + buffer.elements * bytes_of(buffer.type)));
        if (!met) { return tl::unexpected(met.error()); }
        std::string sum = (**met)[0];
        for (std::size_t rank = 1; rank < (*met)->size(); ++rank) {
            MEDLEY_ASSERT((**met)[rank].size() == sum.size());
            executor::combine(sum.data(), sum.data(), (**met)[rank].data(), buffer.elements, buffer.type, op);
        }
        std::copy(sum.begin(), sum.end(), data);
        return {};
    }

    Outcome broadcast(std::span<std::byte> bytes, int root) override {
        const std::string mine(reinterpret_cast<const char*>(bytes.data()), rank_ == root ? bytes.size() : 0);
        const auto met = meet(mine);
        if (!met) { return tl::unexpected(met.error()); }
        const std::string& sent = (**met)[static_cast<std::size_t>(root)];
        MEDLEY_ASSERT(sent.size() == bytes.size());
        std::ranges::copy(std::as_bytes(std::span(sent)), bytes.begin());
        return {};
    }

    tl::expected<std::vector<std::string>, CollectiveFailure> all_gather(std::string_view mine) override {
        const auto met = meet(std::string(mine));
        if (!met) { return tl::unexpected(met.error()); }
        return **met;
    }

    void abort() noexcept override { rendezvous_->break_off(rank_); }

 private:
    bool planned(PlannedFault::Kind kind) const {
        return std::any_of(faults_->begin(), faults_->end(),
                           [&](const PlannedFault& fault) { return fault.call == calls_ && fault.rank == rank_ && fault.kind == kind; });
    }

    Rendezvous::Met meet(std::string mine) {
        if (planned(PlannedFault::Kind::kVanishes)) { rendezvous_->break_off(rank_); }
        Rendezvous::Met met = rendezvous_->meet(rank_, std::move(mine));
        if (met && planned(PlannedFault::Kind::kLosesLast)) {
            rendezvous_->break_off(rank_);
            met = tl::unexpected(CollectiveFailure{CollectiveFailure::Kind::kPeer, "planned fault"});
        }
        ++calls_;
        return met;
    }

    int rank_;
    std::shared_ptr<Rendezvous> rendezvous_;
    std::shared_ptr<const std::vector<PlannedFault>> faults_;
    std::int64_t calls_ = 0;
};

// Groups that have been offered to their members by number.
class OfferedGroups {
 public:
    std::string offer(ThreadGroup group) {
        const std::lock_guard lock(mutex_);
        groups_.emplace(++last_, std::move(group));
        return fmt::format("{}", last_);
    }
    ThreadGroup at(const std::string& number) {
        const std::lock_guard lock(mutex_);
        return groups_.at(std::stoull(number));
    }

 private:
    std::mutex mutex_;
    std::uint64_t last_ = 0;
    std::map<std::uint64_t, ThreadGroup> groups_;
};

}  // namespace

ThreadGroup::ThreadGroup(int size, std::vector<PlannedFault> faults, std::chrono::milliseconds deadline)
    : rendezvous_(std::make_shared<Rendezvous>(size, deadline)),
      faults_(std::make_shared<const std::vector<PlannedFault>>(std::move(faults))) {}

std::unique_ptr<executor::Collective> ThreadGroup::member(int rank) const {
    return std::make_unique<ThreadCollective>(rank, rendezvous_, faults_);
}

void ThreadGroup::kill(int rank) const { rendezvous_->break_off(rank); }

executor::CollectiveMade connect_threads(const executor::CollectiveSetup& setup, const std::vector<PlannedFault>& faults) {
    static OfferedGroups groups;
    if (setup.size == 1) { return ThreadGroup(1, faults, setup.deadline).member(0); }
    const std::string mine = setup.rank == 0 ? groups.offer(ThreadGroup(setup.size, faults, setup.deadline)) : "";
    const std::vector<std::string> offers = setup.exchange(mine);
    if (offers.size() != static_cast<std::size_t>(setup.size)) {
        return tl::unexpected(CollectiveFailure{CollectiveFailure::Kind::kAborted, "the members' offers did not come"});
    }
    return groups.at(offers.front()).member(setup.rank);
}

}  // namespace medley::test
