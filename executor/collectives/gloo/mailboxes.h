#pragma once
/// Small messages without a handshake: written at once into memory that the receiver has set aside for the sender.
///
/// A bulk message travels only when its receiver has asked for it, which costs a second trip and more threads woken up. A letter does not,
/// but the receiver must have read the last but one. So letters must be *exchanged*: both ranks of a pair write to each other, at once or
/// in turns, never twice without an answer. Each direction has two places, used in turns.
///
/// A peer that has done its last call may leave while its last letter lies unread, and the wait then sees the lost connection and not the
/// letter. Therefore a letter ends with a mark at a fixed place, by which it is known to be there.

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include <gloo/transport/buffer.h>

#include "executor/collectives/gloo/mesh.h"

namespace medley::executor {

/// Thread rule: one thread. All but the constructor throw MeshFailure.
class Mailboxes {
 public:
    /// Before the mesh is connected, since letters must find their box.
    explicit Mailboxes(Mesh& mesh);

    /// Most bytes of a letter: the same on every rank.
    std::size_t capacity() const { return capacity_; }
    /// Sends a copy.
    void send(int to, std::span<const std::byte> letter);
    /// Returns when all letters are on their way; to be called at the end of an exchange.
    void finish_sending();
    /// The next letter from this rank, valid until the exchange after the next with it. Requires the length that it was sent with.
    std::byte* receive(int from, std::size_t length);

 private:
    using Mark = std::uint64_t;
    struct Box {
        std::vector<std::byte> places;  ///< two, of a letter and a mark each
        std::vector<std::byte> copy;
        std::unique_ptr<gloo::transport::Buffer> incoming;
        std::unique_ptr<gloo::transport::Buffer> outgoing;
        std::size_t sent = 0;
        std::size_t received = 0;
        bool sending = false;
    };
    std::size_t place_bytes() const { return capacity_ + sizeof(Mark); }
    /// A letter's end is what lies fixed.
    std::size_t begin_of(std::size_t number, std::size_t length) const { return number % 2 * place_bytes() + capacity_ - length; }

    Mesh& mesh_;
    std::size_t capacity_;
    std::map<int, Box> boxes_;
};

}  // namespace medley::executor
