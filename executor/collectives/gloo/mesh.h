#pragma once
/// Messages between the ranks of one membership: Gloo's TCP transport behind spans, a deadline and an abort.
///
/// A message is received into memory that the receiver names; sender and receiver agree on its length. Messages from one rank to another
/// arrive in the order of the receives. Memory must stay in place until the message's wait has returned.
///
/// Thread rule: one thread, but `abort` and `break_off` from any.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <gloo/transport/context.h>
#include <gloo/transport/device.h>
#include <gloo/transport/pair.h>
#include <gloo/transport/unbound_buffer.h>

#include "executor/collectives/collective.h"
#include "executor/collectives/gloo/address_book.h"
#include "executor/collectives/gloo/sockets.h"

namespace medley::executor {

/// How a collective breaks; caught in the collective's calls.
class MeshFailure : public std::runtime_error {
 public:
    explicit MeshFailure(CollectiveFailure failure) : std::runtime_error(failure.detail), failure_(std::move(failure)) {}
    const CollectiveFailure& failure() const { return failure_; }

 private:
    CollectiveFailure failure_;
};

class Mesh {
 public:
    /// Listens for `peers_of` the rank. Throws MeshFailure, and medley::Error if the address cannot be bound.
    explicit Mesh(const CollectiveSetup& setup);
    /// Exchanges addresses and connects; once. Throws MeshFailure.
    void connect(const CollectiveSetup& setup);
    ~Mesh();
    Mesh(const Mesh&) = delete;
    Mesh& operator=(const Mesh&) = delete;

    int rank() const { return rank_; }
    int size() const { return size_; }
    const std::vector<int>& peers() const { return peers_; }

    gloo::transport::Pair& pair(int rank) { return *context_->getPair(rank); }
    /// Runs a transport call and turns its exceptions into MeshFailure.
    void guarded(const std::function<void()>& call);

    /// Memory that messages are sent from or received into; several may be under way, waits count them in order.
    class Window {
     public:
        Window(Mesh& mesh, std::span<std::byte> memory);

        /// Throw MeshFailure. Offsets and lengths in bytes.
        void send(int to, std::size_t offset, std::size_t length);
        void receive(int from, std::size_t offset, std::size_t length);
        void wait_sent();
        void wait_received();

     private:
        Mesh& mesh_;
        std::unique_ptr<gloo::transport::UnboundBuffer> buffer_;
    };

    bool aborted() const { return aborted_; }
    /// Makes the calls in progress fail, and breaks off.
    void abort() noexcept;
    /// Ends every connection, so that peers that wait for this rank learn of it now.
    void break_off() noexcept;

 private:
    void open_device(const std::string& address);
    void connect_peers(const CollectiveSetup& setup);
    void connect_peer(int peer, const std::vector<char>& own_address, const std::string& offer);
    void give_up_connecting() noexcept;

    int rank_;
    int size_;
    std::chrono::milliseconds deadline_;
    std::vector<int> peers_;
    std::shared_ptr<gloo::transport::Device> device_;
    std::shared_ptr<gloo::transport::Context> context_;
    AddressBook own_addresses_;
    std::mutex sockets_mutex_;
    Sockets sockets_;
    std::atomic<bool> aborted_ = false;
    std::atomic<bool> overdue_ = false;
};

}  // namespace medley::executor
