#pragma once
/// The future of the simulated cluster: a heap of events in a total order, so that equal inputs give equal runs.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/units.h"

namespace medley::simulator {

/// `now + span` without overflow: kNever stays kNever.
inline SimTime later(SimTime now, SimTime span) { return span.value >= kNever.value - now.value ? kNever : now + span; }

/// What a job will do, in the order in which things of one moment are reported.
enum class Happening : std::uint8_t { kFinish, kStop, kRun };

/// Names one queued event. An event is cancelled by forgetting its ticket: the queue still delivers it, its owner ignores it.
using Ticket = std::uint64_t;
inline constexpr Ticket kNoTicket = ~Ticket{0};

struct QueuedEvent {
    SimTime time;
    Ticket ticket = kNoTicket;  ///< kind in the highest byte, then the sequence number: orders events of one moment
    std::uint32_t owner = 0;    ///< whatever the pusher knows its event by

    Happening happening() const { return static_cast<Happening>(ticket >> 56); }
    bool operator<(const QueuedEvent& other) const { return time != other.time ? time < other.time : ticket < other.ticket; }
};

/// Four children a node: half the depth of a binary heap and one cache line a level.
/// Cost: O(log n) for `push` and `pop`. Thread rule: one thread.
class EventQueue {
 public:
    bool empty() const { return heap_.empty(); }
    std::size_t size() const { return heap_.size(); }
    const QueuedEvent& top() const { return heap_.front(); }

    Ticket push(SimTime time, Happening happening, std::uint32_t owner) {
        const Ticket ticket = (static_cast<Ticket>(happening) << 56) | sequence_++;
        heap_.push_back({.time = time, .ticket = ticket, .owner = owner});
        sift_up(heap_.size() - 1);
        return ticket;
    }

    void pop() {
        heap_.front() = heap_.back();
        heap_.pop_back();
        if (!heap_.empty()) { sift_down(0); }
    }

    /// Drops every event that `dead` says is cancelled; the order of the others does not change. O(n).
    template <class Dead>
    void prune(Dead dead) {
        std::erase_if(heap_, dead);
        for (std::size_t node = heap_.size() / kChildren + 1; node-- > 0;) {
            if (node < heap_.size()) { sift_down(node); }
        }
    }

 private:
    static constexpr std::size_t kChildren = 4;

    void sift_up(std::size_t node) {
        const QueuedEvent event = heap_[node];
        while (node > 0) {
            const std::size_t parent = (node - 1) / kChildren;
            if (!(event < heap_[parent])) { break; }
            heap_[node] = heap_[parent];
            node = parent;
        }
        heap_[node] = event;
    }

    void sift_down(std::size_t node) {
        const QueuedEvent event = heap_[node];
        for (std::size_t child = first_child(node); child < heap_.size(); child = first_child(node)) {
            const auto begin = heap_.begin() + static_cast<std::ptrdiff_t>(child);
            const auto end = heap_.begin() + static_cast<std::ptrdiff_t>(std::min(child + kChildren, heap_.size()));
            const auto least = std::min_element(begin, end);
            if (!(*least < event)) { break; }
            heap_[node] = *least;
            node = static_cast<std::size_t>(least - heap_.begin());
        }
        heap_[node] = event;
    }

    static std::size_t first_child(std::size_t node) { return node * kChildren + 1; }

    std::vector<QueuedEvent> heap_;
    std::uint64_t sequence_ = 0;
};

}  // namespace medley::simulator
