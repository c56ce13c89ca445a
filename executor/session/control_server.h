#pragma once
/// Accepts control connections, makes sure that their peers know the job's secret, and turns what they send into messages.
///
/// A peer that does not prove itself within `ServerLimits::handshake`, or sends what is no message, is dropped without a word and counted.
/// Before the proof a peer costs a descriptor and a few hundred bytes, nothing that depends on what it says; beyond `unproven` of them the
/// longest-waiting one is dropped.
///
/// Thread rule: the loop's thread. Handlers are never called from within `send` or `close`, and not at all for a connection that we closed.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "executor/protocol/frame.h"
#include "executor/protocol/messages.h"
#include "executor/session/control_loop.h"

namespace medley::executor {

using ConnectionId = std::uint64_t;

struct ServerLimits {
    Milliseconds handshake = 2000;
    std::size_t unproven = 256;
    std::size_t queued_bytes = 64u << 20;  ///< waiting to be sent to one peer; more = the connection is closed
};

struct ServerHandlers {
    std::function<void(ConnectionId, Role)> opened;
    std::function<void(ConnectionId, Message)> received;
    std::function<void(ConnectionId)> closed;
    std::function<void(const std::string&)> dropped;  ///< an unproven or malformed peer, and why
};

class ControlServer {
 public:
    /// Listens. Throws medley::Error if the address cannot be bound.
    ControlServer(ControlLoop& loop, const Secret& secret, const std::string& address, std::uint16_t port, ServerLimits limits,
                  ServerHandlers handlers);
    ~ControlServer();

    std::uint16_t port() const;
    void send(ConnectionId connection, const Message& message);
    /// After what is queued has been sent.
    void close(ConnectionId connection);
    /// No more connections; those that there are stay.
    void stop_accepting();
    std::size_t connections() const;

 private:
    class Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace medley::executor
