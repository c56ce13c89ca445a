#pragma once
/// A control connection after its handshake: messages both ways, each in a sealed frame.

#include <functional>
#include <memory>
#include <string>

#include "executor/protocol/frame.h"
#include "executor/protocol/messages.h"
#include "executor/session/asio_parts.h"

namespace medley::executor {

class FramedStream : public std::enable_shared_from_this<FramedStream> {
 public:
    struct Handlers {
        std::function<void(Message)> received;
        std::function<void(const char* why)> closed;  ///< once, unless we closed; `why` is empty for an ordinary end
        std::function<void()> ended;                  ///< once, always, and last: the socket is closed
    };

    FramedStream(ControlLoop::Impl& loop, Tcp::socket socket, const ConnectionKey& key, bool acceptor, std::size_t most_queued_bytes);

    void start(Handlers handlers);
    void send(const Message& message);
    /// Sends what is queued and the end of the stream, then waits for the other side's end, so that nothing is lost on the way; at most
    /// this long.
    void close(Milliseconds deadline);
    void drop();

 private:
    asio::awaitable<void> read_all(std::shared_ptr<FramedStream> self);
    asio::awaitable<void> write_all(std::shared_ptr<FramedStream> self);
    void write_at_once();
    bool deliver();
    void end(const char* why);

    ControlLoop::Impl& loop_;
    Tcp::socket socket_;
    asio::steady_timer deadline_;
    FrameReader reader_;
    FrameWriter writer_;
    std::size_t most_queued_bytes_;
    Handlers handlers_;
    std::string queued_;
    bool writing_ = false;
    bool closing_ = false;
    bool ended_ = false;
};

}  // namespace medley::executor
