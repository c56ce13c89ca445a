#include "executor/session/control_server.h"

#include <array>
#include <list>
#include <map>

#include <fmt/format.h>

#include "core/error.h"
#include "executor/session/asio_parts.h"
#include "executor/session/framed_stream.h"

namespace medley::executor {
namespace {

constexpr Milliseconds kCloseDeadline = 2000;
constexpr auto kPauseAfterFailedAccept = std::chrono::milliseconds(50);

Tcp::acceptor listen(asio::io_context& context, const std::string& address, std::uint16_t port) {
    error_code error;
    const auto host = asio::ip::make_address(address, error);
    if (error) { throw Error(Problem{.place = "bind address", .found = address, .expected = "an IP address of this machine"}); }
    try {
        Tcp::acceptor acceptor(context);
        acceptor.open(host.is_v6() ? Tcp::v6() : Tcp::v4());
        acceptor.set_option(Tcp::acceptor::reuse_address(true));
        acceptor.bind({host, port});
        acceptor.listen();
        return acceptor;
    } catch (const boost::system::system_error& failure) {
        throw Error(fmt::format("cannot listen on {}:{}: {}", address, port, failure.code().message()));
    }
}

/// A connection whose peer has not proved itself yet.
struct Unproven {
    explicit Unproven(Tcp::socket accepted) : socket(std::move(accepted)), deadline(socket.get_executor()) {}
    void drop() {
        error_code ignored;
        socket.close(ignored);
    }
    Tcp::socket socket;
    asio::steady_timer deadline;
};

}  // namespace

class ControlServer::Impl : public std::enable_shared_from_this<Impl> {
 public:
    Impl(ControlLoop::Impl& loop, const Secret& secret, const std::string& address, std::uint16_t port, ServerLimits limits,
         ServerHandlers handlers)
        : loop_(loop),
          secret_(secret),
          acceptor_(listen(loop.context, address, port)),
          limits_(limits),
          handlers_(std::move(handlers)),
          port_(acceptor_.local_endpoint().port()) {}

    void start() { loop_.spawn(accept_all(shared_from_this())); }
    void stop_accepting() {
        error_code ignored;
        acceptor_.close(ignored);
        for (const auto& peer : unproven_) { peer->drop(); }
    }
    void abandon() {
        stop_accepting();
        handlers_ = {};
        for (const auto& stream : std::map(streams_)) { stream.second->drop(); }
    }
    std::uint16_t port() const { return port_; }
    std::size_t connections() const { return streams_.size(); }
    void send(ConnectionId connection, const Message& message) {
        if (const auto found = streams_.find(connection); found != streams_.end()) { found->second->send(message); }
    }
    void close(ConnectionId connection) {
        if (const auto found = streams_.find(connection); found != streams_.end()) { found->second->close(kCloseDeadline); }
    }

 private:
    using Self = std::shared_ptr<Impl>;

    asio::awaitable<void> accept_all(Self self) {
        while (self->acceptor_.is_open()) {
            auto [error, socket] = co_await self->acceptor_.async_accept(kAsTuple);
            if (!error) {
                self->take_in(std::move(socket));
                continue;
            }
            // Out of descriptors, say: others will be closed in time.
            asio::steady_timer pause(self->loop_.context, kPauseAfterFailedAccept);
            co_await pause.async_wait(kAsTuple);
        }
    }

    void take_in(Tcp::socket socket) {
        const auto peer = std::make_shared<Unproven>(std::move(socket));
        unproven_.push_back(peer);
        if (unproven_.size() > limits_.unproven) {
            unproven_.front()->drop();
            unproven_.pop_front();
        }
        peer->deadline.expires_after(std::chrono::milliseconds(limits_.handshake));
        peer->deadline.async_wait([waiting = std::weak_ptr(peer)](error_code error) {
            const auto late = waiting.lock();
            if (!error && late) { late->drop(); }
        });
        loop_.spawn(prove(shared_from_this(), peer));
    }

    asio::awaitable<void> prove(Self self, std::shared_ptr<Unproven> peer) {
        const AcceptorHandshake handshake(self->secret_, fresh_nonce());
        const std::string greeting = handshake.greeting();
        std::array<char, AcceptorHandshake::kAnswerBytes> answer;
        std::optional<AcceptorHandshake::Accepted> accepted;
        const auto [unsent, sent] = co_await asio::async_write(peer->socket, asio::buffer(greeting), kAsTuple);
        if (!unsent) {
            const auto [unread, size] = co_await asio::async_read(peer->socket, asio::buffer(answer), kAsTuple);
            if (!unread) { accepted = handshake.check({answer.data(), size}); }
        }
        if (accepted) {
            const auto [unanswered, answered] = co_await asio::async_write(peer->socket, asio::buffer(accepted->reply), kAsTuple);
            if (unanswered) { accepted.reset(); }
        }
        self->decide(peer, accepted);
    }

    void decide(const std::shared_ptr<Unproven>& peer, const std::optional<AcceptorHandshake::Accepted>& accepted) {
        unproven_.remove(peer);
        peer->deadline.cancel();
        if (!accepted || !acceptor_.is_open()) {
            peer->drop();
            if (!accepted) { note_dropped("it did not prove itself"); }
            return;
        }
        open(std::move(peer->socket), *accepted);
    }

    void open(Tcp::socket socket, const AcceptorHandshake::Accepted& accepted) {
        const ConnectionId id = ++last_id_;
        const auto stream = std::make_shared<FramedStream>(loop_, std::move(socket), accepted.key, true, limits_.queued_bytes);
        streams_.emplace(id, stream);
        const std::weak_ptr<Impl> weak = weak_from_this();
        stream->start({.received = [this, id](Message message) { handlers_.received(id, std::move(message)); },
                       .closed =
                           [this, id](const char* why) {
                               if (*why != '\0') { note_dropped(why); }
                               handlers_.closed(id);
                           },
                       .ended =
                           [weak, id] {
                               if (const auto server = weak.lock()) { server->streams_.erase(id); }
                           }});
        handlers_.opened(id, accepted.role);
    }

    void note_dropped(const std::string& why) {
        if (handlers_.dropped) { handlers_.dropped(why); }
    }

    ControlLoop::Impl& loop_;
    Secret secret_;
    Tcp::acceptor acceptor_;
    ServerLimits limits_;
    ServerHandlers handlers_;
    std::uint16_t port_;
    std::list<std::shared_ptr<Unproven>> unproven_;
    std::map<ConnectionId, std::shared_ptr<FramedStream>> streams_;
    ConnectionId last_id_ = 0;
};

ControlServer::ControlServer(ControlLoop& loop, const Secret& secret, const std::string& address, std::uint16_t port, ServerLimits limits,
                             ServerHandlers handlers)
    : impl_(std::make_shared<Impl>(loop.impl(), secret, address, port, limits, std::move(handlers))) {
    impl_->start();
}
ControlServer::~ControlServer() { impl_->abandon(); }
std::uint16_t ControlServer::port() const { return impl_->port(); }
void ControlServer::send(ConnectionId connection, const Message& message) { impl_->send(connection, message); }
void ControlServer::close(ConnectionId connection) { impl_->close(connection); }
void ControlServer::stop_accepting() { impl_->stop_accepting(); }
std::size_t ControlServer::connections() const { return impl_->connections(); }

}  // namespace medley::executor
