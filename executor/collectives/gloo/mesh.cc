#include "executor/collectives/gloo/mesh.h"

#include <csignal>

#include <condition_variable>
#include <cstdint>
#include <map>
#include <thread>

#include <fmt/format.h>
#include <gloo/transport/address.h>
#include <gloo/transport/buffer.h>
#include <gloo/transport/pair.h>
#include <gloo/transport/tcp/device.h>

#include "core/error.h"

namespace medley::executor {
namespace {

using Kind = CollectiveFailure::Kind;

// A write of Gloo's on a connection that has just broken raises SIGPIPE, by default the end of the process; Gloo handles the error itself.
void ignore_broken_pipes() {
    static const bool done = [] {
        struct sigaction action {};
        if (sigaction(SIGPIPE, nullptr, &action) == 0 && action.sa_handler == SIG_DFL) { std::signal(SIGPIPE, SIG_IGN); }
        return true;
    }();
    static_cast<void>(done);
}

// Calls a function when the time is over, unless it is destroyed before.
class Alarm {
 public:
    Alarm(std::chrono::milliseconds time, std::function<void()> ring)
        : thread_([time, ring = std::move(ring)](const std::stop_token& stop) {
              std::mutex mutex;
              std::unique_lock lock(mutex);
              std::condition_variable_any never;
              if (!never.wait_for(lock, stop, time, [&] { return stop.stop_requested(); })) { ring(); }
          }) {}

 private:
    std::jthread thread_;
};

AddressBook book_of(const std::string& blob, int rank) {
    const auto book = decode_address_book(blob);
    if (!book) { throw MeshFailure({Kind::kPeer, fmt::format("rank {} offered something that is no address book", rank)}); }
    return *book;
}

// Gloo's messages begin with the place in its source.
std::string without_place(const std::string& message) {
    const std::size_t end = message.starts_with("[") ? message.find("] ") : std::string::npos;
    return end == std::string::npos ? message : message.substr(end + 2);
}

}  // namespace

void Mesh::guarded(const std::function<void()>& call) {
    const auto begin = std::chrono::steady_clock::now();
    std::string detail = "aborted";
    bool failed = false;
    try {
        call();
    } catch (const std::exception& error) {
        failed = true;
        detail = without_place(error.what());
    }
    if (aborted_) { throw MeshFailure({Kind::kAborted, detail}); }
    const bool late = overdue_ || (failed && std::chrono::steady_clock::now() - begin >= deadline_);
    if (late) { throw MeshFailure({Kind::kDeadline, detail}); }
    if (failed) { throw MeshFailure({Kind::kPeer, detail}); }
}

Mesh::Mesh(const CollectiveSetup& setup)
    : rank_(setup.rank),
      size_(setup.size),
      deadline_(setup.deadline),
      peers_(peers_of(setup.rank, setup.size)),
      links_(setup.size, setup.deadline) {
    if (size_ == 1) { return; }
    ignore_broken_pipes();
    open_device(setup.bind_address);
    guarded([&] {
        for (const int peer : peers_) { own_addresses_.emplace(peer, context_->createPair(peer)->address().bytes()); }
    });
}

void Mesh::connect(const CollectiveSetup& setup) {
    if (size_ == 1) { return; }
    const std::stop_callback abort_on_stop(setup.stop, [this] {
        aborted_ = true;
        give_up_connecting();
    });
    connect_peers(setup);
}

Mesh::~Mesh() { break_off(); }

void Mesh::open_device(const std::string& address) {
    try {
        device_ = gloo::transport::tcp::CreateDevice(address.c_str());
    } catch (const std::exception&) { refuse_value("bind address", address, "an address of this machine"); }
    context_ = device_->createContext(rank_, size_);
    context_->setTimeout(deadline_);
}

void Mesh::connect_peers(const CollectiveSetup& setup) {
    const std::vector<std::string> offers = setup.exchange(encode(own_addresses_));
    if (offers.size() != static_cast<std::size_t>(size_)) {
        throw MeshFailure({aborted_ ? Kind::kAborted : Kind::kDeadline, "the members' addresses did not come"});
    }
    // Gloo waits five times as long as its timeout says for a connection.
    const Alarm alarm(deadline_, [this] {
        overdue_ = true;
        give_up_connecting();
    });
    for (const int peer : peers_) { connect_peer(peer, offers[static_cast<std::size_t>(peer)]); }
    meet_peers();
}

void Mesh::connect_peer(int peer, const std::string& offer) {
    const AddressBook book = book_of(offer, peer);
    const auto address = book.find(rank_);
    if (address == book.end()) { throw MeshFailure({Kind::kPeer, fmt::format("rank {} does not await rank {}", peer, rank_)}); }
    guarded([&] { context_->getPair(peer)->connect(address->second); });
    guarded([&] { take_over(peer, address->second); });
}

void Mesh::take_over(int peer, const std::vector<char>& peer_address) {
    const std::lock_guard lock(sockets_mutex_);
    const std::optional<int> socket = sockets_.keep(own_addresses_.at(peer), peer_address);
    if (!socket) { throw std::runtime_error(fmt::format("rank {} has gone", peer)); }
    links_.add(peer, *socket);
}

// What a peer writes is read by Gloo's thread until the connection is synchronous. So a word of Gloo's own, which either way of reading
// takes, tells each peer that this side is ready for what has no header.
struct Mesh::Greeting {
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    std::unique_ptr<gloo::transport::Buffer> incoming;
    std::unique_ptr<gloo::transport::Buffer> outgoing;
};

void Mesh::greet(int peer, Greeting& greeting) {
    constexpr int kSlot = 0;
    gloo::transport::Pair& pair = *context_->getPair(peer);
    greeting.incoming = pair.createRecvBuffer(kSlot, &greeting.received, sizeof greeting.received);
    greeting.outgoing = pair.createSendBuffer(kSlot, &greeting.sent, sizeof greeting.sent);
    pair.setSync(true, false);
    greeting.outgoing->send(0, sizeof greeting.sent);
}

void Mesh::meet_peers() {
    std::map<int, Greeting> greetings;
    try {
        for (const int peer : peers_) {
            guarded([&] { greet(peer, greetings[peer]); });
        }
        for (const auto& [peer, greeting] : greetings) {
            guarded([&met = greeting] { met.incoming->waitRecv(); });
        }
    } catch (const MeshFailure&) {
        give_up_connecting();  // before the memory goes that Gloo's thread may write into
        throw;
    }
    sockets_.widen();
}

void Mesh::give_up_connecting() noexcept {
    break_off();
    for (const int peer : peers_) {
        if (const auto& made = context_->getPair(peer)) { made->close(); }
    }
}

void Mesh::abort() noexcept {
    aborted_ = true;
    break_off();
}

void Mesh::break_off() noexcept {
    const std::lock_guard lock(sockets_mutex_);
    sockets_.shut_down();
}

}  // namespace medley::executor
