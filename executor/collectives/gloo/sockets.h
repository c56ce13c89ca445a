#pragma once
/// Hands on the sockets that Gloo keeps to itself, so that they can be written, read, and broken from any thread.
///
/// Gloo's own `close` leaves this side's waits to their timeout; on a socket that is shut down every wait ends. Duplicates stay good when
/// Gloo closes its own.

#include <optional>
#include <vector>

namespace medley::executor {

class Sockets {
 public:
    Sockets() = default;
    ~Sockets();
    Sockets(const Sockets&) = delete;
    Sockets& operator=(const Sockets&) = delete;

    /// Keeps a duplicate of this process's socket for one connection, known by the addresses (sockaddr_storage at the front)
    /// where its two sides have listened for it. Nothing if there is none, because it has broken already.
    std::optional<int> keep(const std::vector<char>& own_address, const std::vector<char>& peer_address);
    /// Lets the kernel hold as much of what is written as it allows.
    void widen() const noexcept;
    /// Thread rule: `keep` must have ended.
    void shut_down() const noexcept;

 private:
    std::vector<int> descriptors_;
};

}  // namespace medley::executor
