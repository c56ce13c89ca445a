#pragma once
/// What the fake NCCL speaks over: every rank has one loopback socket to rank 0.

#include <cstddef>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace medley::test {

/// A listening socket on a free port of 127.0.0.1.
struct Listener {
    int socket = -1;
    int port = 0;
};
Listener listen_on_loopback();

/// Thread rule: one thread works, `cut` from any. Functions return false once a peer has gone or after `cut`.
class Star {
 public:
    Star(int rank, int ranks) : rank_(rank), ranks_(ranks) {}
    ~Star();
    Star(const Star&) = delete;
    Star& operator=(const Star&) = delete;

    /// Rank 0 accepts the others on the listener, which it owns from now on.
    bool accept_all(int listener);
    bool connect_to(int port);
    /// Rank 0 gets everybody's bytes, by rank, makes the answer of them and sends it to all.
    bool exchange(const std::string& mine, std::string& answer, const std::function<std::string(std::span<const std::string>)>& join);
    void cut() noexcept;

 private:
    bool keep(int socket);
    bool send_text(int socket, const std::string& text) const;
    bool receive_text(int socket, std::string& text) const;

    int rank_;
    int ranks_;
    std::mutex mutex_;
    bool cut_ = false;
    std::vector<int> all_;      ///< every socket ever had
    std::vector<int> by_rank_;  ///< rank 0: the peers'; others: rank 0's alone
};

}  // namespace medley::test
