#include "executor/session/control_client.h"

#include <array>

#include "executor/session/asio_parts.h"
#include "executor/session/framed_stream.h"

namespace medley::executor {
namespace {

constexpr std::size_t kMostQueuedBytes = 2 * kMostFrameBytes;

/// One try to connect; dropped by closing its socket.
struct Attempt {
    explicit Attempt(asio::io_context& context) : socket(context), deadline(context) {}
    void drop() {
        error_code ignored;
        socket.close(ignored);
        deadline.cancel();
    }
    Tcp::socket socket;
    asio::steady_timer deadline;
    std::string problem;
    std::optional<ConnectionKey> key;
};

asio::awaitable<void> reach(Attempt& attempt, const Endpoint& endpoint) {
    error_code error;
    const auto address = asio::ip::make_address(endpoint.host, error);
    if (!error) {
        const auto [failure] = co_await attempt.socket.async_connect({address, endpoint.port}, kAsTuple);
        error = failure;
    } else {
        Tcp::resolver resolver(attempt.socket.get_executor());
        const auto [unresolved, found] = co_await resolver.async_resolve(endpoint.host, std::to_string(endpoint.port), kAsTuple);
        error = unresolved;
        if (!error) {
            const auto [failure, reached] = co_await asio::async_connect(attempt.socket, found, kAsTuple);
            error = failure;
        }
    }
    if (error) { attempt.problem = error.message(); }
}

asio::awaitable<void> prove(Attempt& attempt, const Secret& secret, Role role) {
    ConnectorHandshake handshake(secret, role, fresh_nonce());
    std::array<char, ConnectorHandshake::kGreetingBytes> greeting;
    const auto [unread, size] = co_await asio::async_read(attempt.socket, asio::buffer(greeting), kAsTuple);
    const std::optional<std::string> answer = unread ? std::nullopt : handshake.answer({greeting.data(), size});
    if (!answer) {
        attempt.problem = unread ? unread.message() : "no coordinator listens there";
        co_return;
    }
    const auto [unsent, sent] = co_await asio::async_write(attempt.socket, asio::buffer(*answer), kAsTuple);
    std::array<char, ConnectorHandshake::kReplyBytes> reply;
    const auto [unanswered, answered] = co_await asio::async_read(attempt.socket, asio::buffer(reply), kAsTuple);
    if (!unanswered) { attempt.key = handshake.check({reply.data(), answered}); }
    if (!attempt.key) { attempt.problem = unsent || unanswered ? "it closed the connection" : "it does not know the run's secret"; }
}

}  // namespace

class ControlClient::Impl : public std::enable_shared_from_this<Impl> {
 public:
    Impl(ControlLoop& loop, Role role, ClientHandlers handlers) : loop_(loop.impl()), role_(role), handlers_(std::move(handlers)) {}

    void connect(const Endpoint& endpoint, const Secret& secret, Milliseconds deadline) {
        close();
        attempt_ = std::make_shared<Attempt>(loop_.context);
        attempt_->deadline.expires_after(std::chrono::milliseconds(deadline));
        attempt_->deadline.async_wait([trying = std::weak_ptr(attempt_)](error_code error) {
            const auto late = trying.lock();
            if (!error && late) { late->drop(); }
        });
        loop_.spawn(try_once(shared_from_this(), attempt_, endpoint, secret));
    }
    void send(const Message& message) {
        if (stream_) { stream_->send(message); }
    }
    void close() {
        if (attempt_) { std::exchange(attempt_, nullptr)->drop(); }
        if (stream_) { std::exchange(stream_, nullptr)->drop(); }
    }
    void flush(Milliseconds deadline, std::function<void()> done) {
        if (!stream_) {
            asio::post(loop_.context, std::move(done));
            return;
        }
        flushed_ = std::move(done);
        stream_->close(deadline);
    }
    void abandon() {
        handlers_ = {};
        flushed_ = nullptr;
        close();
    }

 private:
    using Self = std::shared_ptr<Impl>;

    static asio::awaitable<void> try_once(Self self, std::shared_ptr<Attempt> attempt, Endpoint endpoint, Secret secret) {
        co_await reach(*attempt, endpoint);
        if (attempt->problem.empty()) { co_await prove(*attempt, secret, self->role_); }
        // Given up in the meantime, for another attempt or for good.
        if (self->attempt_ != attempt) { co_return; }
        self->attempt_.reset();
        attempt->deadline.cancel();
        if (attempt->key) {
            self->open(std::move(attempt->socket), *attempt->key);
        } else {
            self->handlers_.failed(attempt->problem);
        }
    }

    void open(Tcp::socket socket, const ConnectionKey& key) {
        stream_ = std::make_shared<FramedStream>(loop_, std::move(socket), key, false, kMostQueuedBytes);
        const std::weak_ptr<Impl> weak = weak_from_this();
        const FramedStream* const mine = stream_.get();
        stream_->start({.received = [this](Message message) { handlers_.received(std::move(message)); },
                        .closed =
                            [this](const char*) {
                                stream_.reset();
                                handlers_.closed();
                            },
                        .ended =
                            [weak, mine] {
                                if (const auto client = weak.lock()) { client->ended(mine); }
                            }});
        handlers_.connected();
    }

    void ended(const FramedStream* stream) {
        if (stream_.get() == stream) { stream_.reset(); }
        if (flushed_) { std::exchange(flushed_, nullptr)(); }
    }

    ControlLoop::Impl& loop_;
    Role role_;
    ClientHandlers handlers_;
    std::shared_ptr<Attempt> attempt_;
    std::shared_ptr<FramedStream> stream_;
    std::function<void()> flushed_;
};

ControlClient::ControlClient(ControlLoop& loop, Role role, ClientHandlers handlers)
    : impl_(std::make_shared<Impl>(loop, role, std::move(handlers))) {}
ControlClient::~ControlClient() { impl_->abandon(); }
void ControlClient::connect(const Endpoint& endpoint, const Secret& secret, Milliseconds deadline) {
    impl_->connect(endpoint, secret, deadline);
}
void ControlClient::send(const Message& message) { impl_->send(message); }
void ControlClient::close() { impl_->close(); }
void ControlClient::flush(Milliseconds deadline, std::function<void()> done) { impl_->flush(deadline, std::move(done)); }

}  // namespace medley::executor
