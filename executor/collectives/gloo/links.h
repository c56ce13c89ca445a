#pragma once
/// Messages between this rank and its peers, moved by the calling thread alone, over one stream socket each.
///
/// A message has no header: both sides know its length, and the n-th receive of a link takes what the n-th send put on it. Nothing is
/// copied but by the kernel, nobody is asked, and no other thread is woken: with more threads than cores, thread switches are what an
/// all-reduce of medium size costs. While one message is waited for, all others that were posted move on too, so ranks that send to each
/// other do not wait for each other.
///
/// Thread rule: one thread. To shut the sockets down, from any thread, makes a wait fail.

#include <chrono>
#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "executor/collectives/gloo/mesh_failure.h"

namespace medley::executor {

/// send, receive and the waits throw MeshFailure: kPeer when a connection has ended, kDeadline when nothing has moved for so long.
class Links {
 public:
    Links(int ranks, std::chrono::milliseconds deadline) : deadline_(deadline), links_(static_cast<std::size_t>(ranks)) {}

    /// A connected stream socket to this rank, which stays its owner's.
    void add(int peer, int socket) { link(peer).socket = socket; }

    /// Memory must stay as it is until `finish`, or until something has come that the receiver sends after it has all.
    void send(int to, std::span<const std::byte> bytes);
    struct Receipt {
        int from = 0;
        std::size_t number = 0;
    };
    /// Memory must stay in place until the receipt was waited for.
    Receipt receive(int from, std::span<std::byte> bytes);
    /// Also for all receives that were posted before it on its link.
    void wait(const Receipt& receipt);
    /// For everything sent and received so far.
    void finish();

 private:
    struct Link {
        int socket = -1;
        std::deque<std::span<const std::byte>> outgoing;
        std::deque<std::span<std::byte>> incoming;
        std::size_t posted = 0;
        std::size_t received = 0;
    };
    Link& link(int rank) { return links_[static_cast<std::size_t>(rank)]; }
    bool write(Link& link);
    bool read(Link& link);
    bool move_all();
    void move_or_sleep();
    void sleep();
    [[noreturn]] void fail(const Link& link, CollectiveFailure::Kind kind, int error) const;

    std::chrono::milliseconds deadline_;
    std::vector<Link> links_;  ///< by rank
};

}  // namespace medley::executor
