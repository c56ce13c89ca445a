#include "executor/collectives/gloo/mailboxes.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "core/error.h"

namespace medley::executor {
namespace {

// The same number on both sides; one slot serves both directions.
constexpr int kSlot = 0;
constexpr std::size_t kMostMemory = 1 << 20;  // of all incoming places, so that a worker that emulates stays small
constexpr std::size_t kMostCapacity = 256 << 10;

// Ranks have equally many peers.
std::size_t capacity_for(std::size_t peers) {
    constexpr std::size_t kAlignment = 64;
    return std::min(kMostCapacity, kMostMemory / (2 * std::max<std::size_t>(peers, 1))) / kAlignment * kAlignment;
}

}  // namespace

Mailboxes::Mailboxes(Mesh& mesh) : mesh_(mesh), capacity_(capacity_for(mesh.peers().size())) {
    for (const int peer : mesh.peers()) {
        Box& box = boxes_[peer];
        box.places.resize(2 * place_bytes());
        box.copy.resize(place_bytes());
        box.incoming = mesh.pair(peer).createRecvBuffer(kSlot, box.places.data(), box.places.size());
        box.outgoing = mesh.pair(peer).createSendBuffer(kSlot, box.copy.data(), box.copy.size());
    }
}

void Mailboxes::send(int to, std::span<const std::byte> letter) {
    constexpr Mark kHere = 1;
    MEDLEY_ASSERT(letter.size() <= capacity_);
    Box& box = boxes_.at(to);
    std::copy(letter.begin(), letter.end(), box.copy.begin());
    std::memcpy(box.copy.data() + letter.size(), &kHere, sizeof kHere);
    mesh_.guarded([&] { box.outgoing->send(0, letter.size() + sizeof kHere, begin_of(box.sent++, letter.size())); });
    box.sending = true;
}

void Mailboxes::finish_sending() {
    for (auto& [rank, box] : boxes_) {
        if (!std::exchange(box.sending, false)) { continue; }
        mesh_.guarded([&sent = box] { sent.outgoing->waitSend(); });
    }
}

std::byte* Mailboxes::receive(int from, std::size_t length) {
    Box& box = boxes_.at(from);
    std::byte* letter = box.places.data() + begin_of(box.received++, length);
    const std::atomic_ref mark(*reinterpret_cast<Mark*>(letter + length));
    try {
        mesh_.guarded([&] { box.incoming->waitRecv(); });
    } catch (const MeshFailure&) {
        if (mark.load() == 0) { throw; }
    }
    mark.store(0);
    return letter;
}

}  // namespace medley::executor
