#pragma once
/// The connecting side of a control connection: one at a time, made anew as often as asked.
///
/// Thread rule: the loop's thread. Handlers are never called from within a call of ours.

#include <functional>
#include <memory>
#include <string>

#include "executor/protocol/frame.h"
#include "executor/protocol/messages.h"
#include "executor/session/control_loop.h"
#include "executor/session/run_folder.h"

namespace medley::executor {

struct ClientHandlers {
    std::function<void()> connected;  ///< and both sides have proved themselves
    std::function<void(const std::string& reason)> failed;
    std::function<void(Message)> received;
    std::function<void()> closed;  ///< by the other side
};

class ControlClient {
 public:
    ControlClient(ControlLoop& loop, Role role, ClientHandlers handlers);
    ~ControlClient();

    /// Ends the present connection, if any, without a word. Ends in `connected` or `failed`, within `deadline`.
    void connect(const Endpoint& endpoint, const Secret& secret, Milliseconds deadline);
    /// No effect while there is no connection.
    void send(const Message& message);
    void close();
    /// Calls `done` once everything sent is out, or cannot go out; at the latest after `deadline`.
    void flush(Milliseconds deadline, std::function<void()> done);

 private:
    class Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace medley::executor
