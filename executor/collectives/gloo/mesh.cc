#include "executor/collectives/gloo/mesh.h"

#include <csignal>

#include <condition_variable>
#include <thread>

#include <fmt/format.h>
#include <gloo/transport/address.h>
#include <gloo/transport/tcp/device.h>

#include "core/error.h"

namespace medley::executor {
namespace {

using Kind = CollectiveFailure::Kind;

// Messages are told apart by their order alone.
constexpr std::uint64_t kSlot = 0;

// A write on a connection that has just broken raises SIGPIPE, by default the end of the process; Gloo handles the error itself.
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
    : rank_(setup.rank), size_(setup.size), deadline_(setup.deadline), peers_(peers_of(setup.rank, setup.size)) {
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
    for (const int peer : peers_) { connect_peer(peer, own_addresses_.at(peer), offers[static_cast<std::size_t>(peer)]); }
}

void Mesh::connect_peer(int peer, const std::vector<char>& own_address, const std::string& offer) {
    const AddressBook book = book_of(offer, peer);
    const auto address = book.find(rank_);
    if (address == book.end()) { throw MeshFailure({Kind::kPeer, fmt::format("rank {} does not await rank {}", peer, rank_)}); }
    guarded([&] { pair(peer).connect(address->second); });
    const std::lock_guard lock(sockets_mutex_);
    if (!sockets_.keep(own_address, address->second)) { throw MeshFailure({Kind::kPeer, fmt::format("rank {} has gone", peer)}); }
}

void Mesh::give_up_connecting() noexcept {
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

Mesh::Window::Window(Mesh& mesh, std::span<std::byte> memory)
    : mesh_(mesh), buffer_(mesh.context_->createUnboundBuffer(memory.data(), memory.size())) {}

void Mesh::Window::send(int to, std::size_t offset, std::size_t length) {
    mesh_.guarded([&] { buffer_->send(to, kSlot, offset, length); });
}

void Mesh::Window::receive(int from, std::size_t offset, std::size_t length) {
    mesh_.guarded([&] { buffer_->recv(from, kSlot, offset, length); });
}

void Mesh::Window::wait_sent() {
    mesh_.guarded([&] { buffer_->waitSend(mesh_.deadline_); });
}

void Mesh::Window::wait_received() {
    mesh_.guarded([&] { buffer_->waitRecv(mesh_.deadline_); });
}

}  // namespace medley::executor
