#include "executor/coordinator/live_generation.h"

#include <algorithm>
#include <utility>

namespace medley::executor {
namespace {

/// More exchanges than any collective needs to connect; a bound on what a confused worker can make us keep.
constexpr std::uint32_t kMostRounds = 256;

bool complete(const std::vector<std::optional<std::string>>& round) {
    return std::all_of(round.begin(), round.end(), [](const auto& blob) { return blob.has_value(); });
}

}  // namespace

LiveGeneration::LiveGeneration(GenerationRecord generation, GenerationPhase at_first)
    : record(std::move(generation)), phase(at_first), members_(record.members.size()) {
    if (phase != GenerationPhase::kForming) { join_all(); }
}

std::optional<std::uint32_t> LiveGeneration::rank_of(WorkerNumber worker) const {
    const auto found = std::find(record.members.begin(), record.members.end(), worker);
    if (found == record.members.end()) { return std::nullopt; }
    return static_cast<std::uint32_t>(found - record.members.begin());
}

bool LiveGeneration::holds(WorkerNumber worker) const {
    const auto rank = rank_of(worker);
    return rank && members_[*rank].in();
}

void LiveGeneration::join(WorkerNumber worker) {
    if (const auto rank = rank_of(worker)) { members_[*rank].joined = true; }
}

void LiveGeneration::join_all() {
    for (Member& member : members_) { member.joined = true; }
}

void LiveGeneration::stop(WorkerNumber worker, StopCause cause) {
    const auto rank = rank_of(worker);
    if (rank && !members_[*rank].stopped) { members_[*rank].stopped = cause; }
}

void LiveGeneration::lose(WorkerNumber worker) {
    if (const auto rank = rank_of(worker)) { members_[*rank].lost = true; }
}

bool LiveGeneration::all_joined() const {
    return std::all_of(members_.begin(), members_.end(), [](const Member& member) { return member.joined; });
}

bool LiveGeneration::any_lost() const {
    return std::any_of(members_.begin(), members_.end(), [](const Member& member) { return member.lost; });
}

bool LiveGeneration::any_stopped() const {
    return std::any_of(members_.begin(), members_.end(), [](const Member& member) { return member.stopped.has_value(); });
}

bool LiveGeneration::any_stopped(StopCause cause) const {
    return std::any_of(members_.begin(), members_.end(), [cause](const Member& member) { return member.stopped == cause; });
}

bool LiveGeneration::over() const {
    return std::none_of(members_.begin(), members_.end(), [](const Member& member) { return member.in(); });
}

std::vector<WorkerNumber> LiveGeneration::still_in() const {
    std::vector<WorkerNumber> workers;
    for (std::size_t rank = 0; rank < members_.size(); ++rank) {
        if (members_[rank].in()) { workers.push_back(record.members[rank]); }
    }
    return workers;
}

std::optional<LiveGeneration::Exchange> LiveGeneration::exchange(WorkerNumber worker, const Offer& offer) {
    const auto rank = rank_of(worker);
    if (!rank || offer.round > rounds_.size() || offer.round >= kMostRounds) { return std::nullopt; }
    if (offer.round == rounds_.size()) { rounds_.emplace_back(members_.size()); }
    Round& round = rounds_[offer.round];
    const bool was_complete = complete(round);
    if (!was_complete) { round[*rank] = offer.blob; }
    if (!complete(round)) { return std::nullopt; }
    Exchange exchange{.offers = {.generation = record.generation, .round = offer.round, .blobs = {}}, .fresh = !was_complete};
    for (const auto& blob : round) { exchange.offers.blobs.push_back(*blob); }
    return exchange;
}

std::vector<WorkerNumber> LiveGeneration::laggards() const {
    std::vector<WorkerNumber> late;
    if (rounds_.empty()) { return late; }
    for (std::size_t rank = 0; rank < members_.size(); ++rank) {
        if (members_[rank].in() && !members_[rank].joined && !rounds_.back()[rank]) { late.push_back(record.members[rank]); }
    }
    return late;
}

Form LiveGeneration::form(Term term) const {
    return {.term = term,
            .generation = record.generation,
            .members = record.members,
            .placement = record.placement,
            .step = record.step,
            .source = record.source,
            .checkpoint = record.checkpoint,
            .from_start = record.from_start};
}

}  // namespace medley::executor
