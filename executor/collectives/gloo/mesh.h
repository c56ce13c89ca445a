#pragma once
/// The connections between the ranks of one membership, with a deadline and an abort.
///
/// Gloo's TCP transport finds addresses, listens and connects. Then its connections are switched to synchronous, so that its thread leaves
/// them alone, and messages travel over their sockets as `Links` says.
///
/// Thread rule: one thread, but `abort` and `break_off` from any.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <gloo/transport/context.h>
#include <gloo/transport/device.h>

#include "executor/collectives/collective.h"
#include "executor/collectives/gloo/address_book.h"
#include "executor/collectives/gloo/links.h"
#include "executor/collectives/gloo/mesh_failure.h"
#include "executor/collectives/gloo/sockets.h"

namespace medley::executor {

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

    Links& links() { return links_; }

    bool aborted() const { return aborted_; }
    /// Makes the calls in progress fail, and breaks off.
    void abort() noexcept;
    /// Ends every connection, so that peers that wait for this rank learn of it now.
    void break_off() noexcept;

 private:
    void open_device(const std::string& address);
    void connect_peers(const CollectiveSetup& setup);
    void connect_peer(int peer, const std::string& offer);
    void take_over(int peer, const std::vector<char>& peer_address);
    struct Greeting;
    void greet(int peer, Greeting& greeting);
    void meet_peers();
    void give_up_connecting() noexcept;
    void guarded(const std::function<void()>& call);

    int rank_;
    int size_;
    std::chrono::milliseconds deadline_;
    std::vector<int> peers_;
    std::shared_ptr<gloo::transport::Device> device_;
    std::shared_ptr<gloo::transport::Context> context_;
    AddressBook own_addresses_;
    Links links_;
    std::mutex sockets_mutex_;
    Sockets sockets_;
    std::atomic<bool> aborted_ = false;
    std::atomic<bool> overdue_ = false;
};

}  // namespace medley::executor
