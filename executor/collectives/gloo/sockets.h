#pragma once
/// Hands on the sockets that Gloo keeps to itself, so that a connection can be broken from any thread.
///
/// Gloo's own `close` frees a socket but leaves this side's waits to their timeout; a socket that is shut down is seen by its device's
/// thread, which makes every wait on it fail. Duplicates stay good when Gloo closes its own.

#include <vector>

namespace medley::executor {

class Sockets {
 public:
    Sockets() = default;
    ~Sockets();
    Sockets(const Sockets&) = delete;
    Sockets& operator=(const Sockets&) = delete;

    /// Keeps a duplicate of this process's socket for one connection, known by the addresses (sockaddr_storage at the front)
    /// where its two sides have listened for it. False if there is none, because it has broken already.
    bool keep(const std::vector<char>& own_address, const std::vector<char>& peer_address);
    /// Thread rule: `keep` must have ended.
    void shut_down() const noexcept;

 private:
    std::vector<int> descriptors_;
};

}  // namespace medley::executor
